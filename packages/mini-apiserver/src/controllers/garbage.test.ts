import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { createTestServer } from '../testing/in-process.ts'
import { runGarbageCollector } from './garbage.ts'

const path = '/api/v1/namespaces/default/configmaps'

/** ConfigMaps that own each other: `child < parent` means that the parent owns the child. */
async function family(...members: readonly string[]) {
  const server = createTestServer()
  runGarbageCollector(server.state)
  const uids = new Map<string, unknown>()
  for (const member of members) {
    const [name = '', ...owners] = member.split(' < ')
    const ownerReferences = owners.map((owner) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: owner,
      uid: uids.get(owner),
    }))
    const { body } = await server.ask(`POST ${path}`, { metadata: { name, ownerReferences } })
    uids.set(name, (body['metadata'] as JsonObject)['uid'])
  }
  const names = async () => {
    const { items } = (await server.ask(`GET ${path}`)).body as { items: { metadata: { name: string } }[] }
    return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
  }
  const remove = (name: string, propagationPolicy: string) =>
    server.ask(`DELETE ${path}/${name}`, { propagationPolicy })
  return { server, names, remove }
}

describe('what belonged to a deleted object', () => {
  it.each([
    ['goes in the background, and so on', 'Background', ['a', 'b < a', 'c < b', 'x'], ['x']],
    ['stays when another owner is there', 'Background', ['a', 'x', 'b < a < x'], ['b', 'x']],
    ['is let go with Orphan', 'Orphan', ['a', 'b < a', 'c < b'], ['b', 'c']],
    ['goes before its owner with Foreground', 'Foreground', ['a', 'b < a', 'c < b'], []],
    ['is nothing: the owner just ends', 'Foreground', ['a', 'x'], ['x']],
  ])('%s', async (_name, policy, members, left) => {
    const { server, names, remove } = await family(...members)
    await remove('a', policy)
    server.clock.advance(1)
    expect(await names()).toEqual(left)
  })

  it('holds a Foreground owner while a finalizer holds it', async () => {
    const { server, names, remove } = await family('a', 'b < a')
    const merge = 'application/merge-patch+json'
    await server.ask(`PATCH ${path}/b`, { metadata: { finalizers: ['example.org/x'] } }, merge)
    const { body } = await remove('a', 'Foreground')
    expect(body['metadata']).toMatchObject({ finalizers: ['foregroundDeletion'], deletionGracePeriodSeconds: 0 })
    server.clock.advance(1)
    expect(await names()).toEqual(['a', 'b'])
    await server.ask(`PATCH ${path}/b`, { metadata: { finalizers: null } }, merge)
    server.clock.advance(1)
    expect(await names()).toEqual([])
  })

  it('is known again after the storage went back to a former version', async () => {
    const { server, names, remove } = await family('a', 'b < a')
    const before = server.state.storage.version()
    await server.ask(`DELETE ${path}/b`)
    server.state.storage.rollBack(before)
    await remove('a', 'Background')
    server.clock.advance(1)
    expect(await names()).toEqual([])
  })

  it('loses the reference to the owner that is gone', async () => {
    const { server, remove } = await family('a', 'x', 'b < a < x')
    await remove('a', 'Background')
    server.clock.advance(1)
    expect((await server.ask(`GET ${path}/b`)).body['metadata']).toMatchObject({ ownerReferences: [{ name: 'x' }] })
  })
})
