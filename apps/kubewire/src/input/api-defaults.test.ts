import { expect, test } from 'vitest'
import { withApiDefaults } from './api-defaults.ts'

test.each([
  [
    'a Service gets type, protocol, address list and families',
    { kind: 'Service', spec: { clusterIP: '10.96.4.4', ports: [{ port: 80 }] } },
    {
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.96.4.4',
        clusterIPs: ['10.96.4.4'],
        ipFamilies: ['IPv4'],
        ports: [{ port: 80, protocol: 'TCP' }],
      },
    },
  ],
  [
    'a dual-stack Service has the families of its addresses',
    { kind: 'Service', spec: { clusterIPs: ['fd00:10:96::4', '10.96.4.4'] } },
    { spec: { clusterIP: 'fd00:10:96::4', ipFamilies: ['IPv6', 'IPv4'] } },
  ],
  [
    'a headless Service gets no family',
    { kind: 'Service', spec: { clusterIP: 'None' } },
    { spec: { clusterIPs: ['None'] } },
  ],
  [
    'a slice port gets an empty name and TCP',
    { kind: 'EndpointSlice', ports: [{ port: 80 }, { name: 'a', port: 53, protocol: 'UDP' }] },
    {
      ports: [
        { name: '', port: 80, protocol: 'TCP' },
        { name: 'a', port: 53, protocol: 'UDP' },
      ],
    },
  ],
  [
    'stringData of a Secret becomes data',
    { kind: 'Secret', data: { a: 'eA==' }, stringData: { b: 'y' } },
    { data: { a: 'eA==', b: 'eQ==' } },
  ],
])('%s', (_name, given, expected) => {
  expect(withApiDefaults(given)).toMatchObject(expected)
})

test('a headless Service has no families, other kinds stay as they are', () => {
  expect(withApiDefaults({ kind: 'Service', spec: { clusterIP: 'None' } } as never)).not.toHaveProperty(
    'spec.ipFamilies',
  )
  const object = { kind: 'ConfigMap' }
  expect(withApiDefaults(object)).toBe(object)
})
