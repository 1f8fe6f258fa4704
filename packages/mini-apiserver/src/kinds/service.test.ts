import { describe, expect, it } from 'vitest'
import { createTestServer } from '../testing/in-process.ts'

const path = '/api/v1/namespaces/default/services'
const P = [{ port: 80 }]

async function refusal(spec: object, name = 's'): Promise<readonly string[]> {
  const { body } = await createTestServer().ask(`POST ${path}`, { metadata: { name }, spec })
  const causes = (body['details'] as { causes?: { field: string; message: string }[] } | undefined)?.causes ?? []
  return causes.map(({ field, message }) => `${field}: ${message}`)
}

describe('Services that are refused', () => {
  it.each([
    [
      'two families without a policy',
      { ports: P, ipFamilies: ['IPv4', 'IPv6'] },
      /ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack'/,
    ],
    ['a family twice', { ports: P, ipFamilies: ['IPv4', 'IPv4'] }, /ipFamilies\[1\]: Duplicate value: "IPv4"/],
    [
      'addresses without the first',
      { ports: P, clusterIPs: ['10.96.5.7'] },
      /clusterIPs: .*must be empty when `clusterIP` is not specified/,
    ],
    [
      'an address with leading zeros',
      { ports: P, clusterIP: '010.96.5.8' },
      /clusterIPs\[0\]: Invalid value: "010.96.5.8": must not have leading 0s/,
    ],
    ['a loopback external address', { ports: P, externalIPs: ['127.0.0.1'] }, /externalIPs\[0\]: .*loopback range/],
    ['a port name with a dot', { ports: [{ port: 80, name: 'a.b' }] }, /must not contain dots/],
    [
      'the same port twice',
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 80, name: 'b' },
        ],
      },
      /ports\[1\]: Duplicate value: \{"Name":"","Protocol":"TCP"/,
    ],
    [
      'the same node port twice',
      {
        type: 'NodePort',
        ports: [
          { port: 80, nodePort: 30998, name: 'a' },
          { port: 81, nodePort: 30998, name: 'b' },
        ],
      },
      /ports\[1\].nodePort: .*already allocated/,
    ],
    ['a balancer class without a balancer', { ports: P, loadBalancerClass: 'x/y' }, /loadBalancerClass: Forbidden/],
    [
      'source ranges that are none',
      { type: 'LoadBalancer', ports: P, loadBalancerSourceRanges: ['x'] },
      /LoadBalancerSourceRanges\[0\]: Invalid value: "x"/,
    ],
    [
      'a health port without local traffic',
      { ports: P, healthCheckNodePort: 30100 },
      /healthCheckNodePort: Invalid value: 30100/,
    ],
    [
      'an endless session',
      { ports: P, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
      /less than 86400/,
    ],
    [
      'an external name with an address',
      { type: 'ExternalName', externalName: 'a.b', clusterIP: '10.96.1.1' },
      /clusterIPs: Forbidden/,
    ],
    [
      'a distribution nobody knows',
      { ports: P, trafficDistribution: 'Foo' },
      /trafficDistribution: Unsupported value: "Foo"/,
    ],
  ])('%s', async (_name, spec, wanted) => {
    expect((await refusal(spec)).join('\n')).toMatch(wanted)
  })
})

describe('what Services get and give back', () => {
  it('one node port serves the same port over TCP and UDP', async () => {
    const ports = [
      { name: 'u', port: 53, protocol: 'UDP' },
      { name: 't', port: 53 },
    ]
    const { body } = await createTestServer().ask(`POST ${path}`, {
      metadata: { name: 's' },
      spec: { type: 'NodePort', ports },
    })
    const [udp, tcp] = (body['spec'] as { ports: { nodePort: number }[] }).ports
    expect(udp?.nodePort).toBeGreaterThanOrEqual(30000)
    expect(tcp?.nodePort).toBe(udp?.nodePort)
  })

  it('a deleted Service frees its address and ports', async () => {
    const server = createTestServer()
    const spec = { type: 'NodePort', clusterIP: '10.96.9.9', ports: [{ port: 80, nodePort: 30009 }] }
    expect((await server.ask(`POST ${path}`, { metadata: { name: 'a' }, spec })).status).toBe(201)
    expect((await server.ask(`POST ${path}`, { metadata: { name: 'b' }, spec })).status).toBe(422)
    await server.ask(`DELETE ${path}/a`)
    expect((await server.ask(`POST ${path}`, { metadata: { name: 'b' }, spec })).status).toBe(201)
  })

  it('one family is taken away and given by the policy alone', async () => {
    const server = createTestServer()
    await server.ask(`POST ${path}`, { metadata: { name: 's' }, spec: { ports: P } })
    const merge = (ipFamilyPolicy: string) =>
      server.ask(`PATCH ${path}/s`, { spec: { ipFamilyPolicy } }, 'application/merge-patch+json')
    expect((await merge('PreferDualStack')).body['spec']).toMatchObject({
      ipFamilies: ['IPv4', 'IPv6'],
      clusterIPs: [{}, {}].map(() => expect.any(String)),
    })
    expect((await merge('SingleStack')).body['spec']).toMatchObject({
      ipFamilies: ['IPv4'],
      clusterIPs: [expect.any(String)],
    })
  })

  it('a range that is full refuses', async () => {
    const server = createTestServer({ serviceCidrs: ['192.0.2.0/30'] })
    const make = (name: string) => server.ask(`POST ${path}`, { metadata: { name }, spec: { ports: P } })
    expect((await make('a')).status).toBe(201)
    expect((await make('b')).body['message']).toMatch(/range is full/)
  })
})
