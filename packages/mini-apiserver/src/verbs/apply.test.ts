import { describe, expect, it } from 'vitest'
import { createTestServer } from '../testing/in-process.ts'
import { printPath } from './apply.ts'

const type = 'application/apply-patch+yaml'
const path = '/api/v1/namespaces/default/services/s'
const config = (...ports: object[]) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } })
const portsOf = (body: unknown) =>
  (body as { spec: { ports: { name: string; port: number }[] } }).spec.ports.map(({ name, port }) => `${name} ${port}`)

describe('server-side apply', () => {
  it('another port under the same name replaces the old one', async () => {
    const server = createTestServer()
    await server.ask(`PATCH ${path}?fieldManager=one`, config({ name: 'http', port: 80 }), type)
    const { status, body } = await server.ask(
      `PATCH ${path}?fieldManager=one`,
      config({ name: 'http', port: 81 }),
      type,
    )
    expect([status, ...portsOf(body)]).toEqual([200, 'http 81'])
  })

  it('an element that another manager shares stays when one lets go', async () => {
    const server = createTestServer()
    const [a, b] = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ]
    await server.ask(`PATCH ${path}?fieldManager=one`, config(a, b), type)
    await server.ask(`PATCH ${path}?fieldManager=two`, config(a, b), type)
    const { body } = await server.ask(`PATCH ${path}?fieldManager=one`, config(a), type)
    expect(portsOf(body)).toEqual(['a 80', 'b 81'])
  })

  it('two conflicts are listed below their owner', async () => {
    const server = createTestServer()
    await server.ask(
      `PATCH ${path}?fieldManager=one`,
      { ...config({ name: 'a', port: 80 }), metadata: { name: 's', labels: { x: '1' } } },
      type,
    )
    const other = { ...config({ name: 'b', port: 80 }), metadata: { name: 's', labels: { x: '2' } } }
    const { status, body } = await server.ask(`PATCH ${path}?fieldManager=two`, other, type)
    expect(status).toBe(409)
    expect(body['message']).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .metadata.labels.x\n- .spec.ports[port=80,protocol="TCP"].name',
    )
  })

  it('prints paths as people read them', () => {
    expect(printPath('f:spec\u0000f:ports\u0000k:{"port":80,"protocol":"TCP"}\u0000f:name')).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    )
    expect(printPath('f:metadata\u0000f:finalizers\u0000v:"x"')).toBe('.metadata.finalizers[="x"]')
  })
})
