// The same faults in front of the real kube-apiserver, and what only a real one can do: forget its cache, compact, lose
// its storage.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults.ts'
import { noRealServer, type RealServer, startRealServer } from './real-server.ts'
import { createWorld, pause, type World } from './world.ts'

// The watchdog needs a bookmark, and the real server sends the first after one or two minutes.
const usable = faults.filter(({ name }) => !name.includes('half open'))

if (noRealServer !== undefined) console.log(`skipped: ${noRealServer}`)

describe.skipIf(noRealServer !== undefined)('an informer of the real API server', () => {
  let server: RealServer
  let world: World
  beforeAll(async () => {
    server = await startRealServer()
    await server.write('fig', 'first ä€😀')
    await server.write('plum', 'first')
    world = await createWorld(server, { pageSize: 2, connectTimeoutMs: 5000 })
    await world.settled(15_000)
  })
  afterAll(async () => {
    await world?.close()
    await server?.close()
  })

  it.each(usable)('after $name, equals it again', async (fault) => {
    await fault.break(world)
    await server.write('fig', `after ${fault.name}`)
    await server.write('kiwi', 'new')
    await server.remove('plum')
    await world.settled(20_000)
    await server.write('plum', 'back')
    await server.remove('kiwi')
    await world.settled(20_000)
    world.checkEvents()
  })

  it('equals it after it was killed and nothing changed meanwhile', async () => {
    await server.killApi()
    await pause(300)
    await server.startApi()
    await server.write('fig', 'after the kill')
    await world.settled(30_000)
    world.checkEvents()
  })

  it('equals it after a compaction while it was away', async () => {
    await world.proxy.refuse()
    await server.write('kiwi', 'meanwhile')
    await server.remove('plum')
    await server.compact()
    await server.killApi()
    await server.startApi()
    await world.proxy.listenAgain()
    await world.settled(30_000)
    world.checkEvents()
  })

  it('notices that its storage was wiped and versions began anew, says so and equals it again', async () => {
    // Far enough ahead that the new counter stays behind for the whole test.
    for (let i = 0; i < 400; i++) await server.write('fig', `write ${i}`)
    await world.settled(20_000)
    const before = Number(world.informer.store.resourceVersion)
    await server.wipe()
    await server.write('apple', 'of the new world')
    await world.settled(30_000)
    world.checkEvents()
    expect([...world.informer.store].map(({ metadata }) => metadata?.name)).toContain('apple')
    expect(Number(world.informer.store.resourceVersion)).toBeLessThan(before)
    expect(world.errors.map(({ code }) => code)).toContain('INF_VERSION_ROLLBACK')
    await server.write('apple', 'changed')
    await world.settled(5000)
  })
})
