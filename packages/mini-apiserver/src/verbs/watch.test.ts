import { describe, expect, it } from 'vitest'
import { createTestServer } from '../testing/in-process.ts'

const path = '/api/v1/namespaces/default/configmaps'
const write = (name: string, data = '1') => ({ metadata: { name }, data: { k: data } })
const types = (frames: readonly ({ readonly type: string } | null)[]) => frames.map((frame) => frame?.type ?? 'end')

describe('watches on invented time', () => {
  it('ends at its timeout, with a bookmark two seconds before', async () => {
    const server = createTestServer()
    const { frames } = await server.watch(
      `${path}?watch=1&resourceVersion=${server.state.storage.version()}&timeoutSeconds=10&allowWatchBookmarks=true`,
    )
    server.clock.advance(7999)
    expect(types(frames)).toEqual([])
    server.clock.advance(1)
    expect(types(frames)).toEqual(['BOOKMARK'])
    server.clock.advance(2000)
    expect(types(frames)).toEqual(['BOOKMARK', 'end'])
  })

  it('bookmarks come once a minute and carry the newest version', async () => {
    const server = createTestServer()
    const { frames } = await server.watch(
      `${path}?watch=1&resourceVersion=${server.state.storage.version()}&timeoutSeconds=600&allowWatchBookmarks=true`,
    )
    await server.ask('POST /api/v1/namespaces/default/secrets', { metadata: { name: 's' } })
    server.clock.advance(120_000)
    expect(types(frames)).toEqual(['BOOKMARK', 'BOOKMARK'])
    expect(frames[0]?.object['metadata']).toEqual({ resourceVersion: String(server.state.storage.version()) })
  })

  it('initial events are closed by a marked bookmark, then changes follow', async () => {
    const server = createTestServer()
    await server.ask(`POST ${path}`, write('a'))
    const { frames } = await server.watch(
      `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    await server.ask(`PUT ${path}/a`, write('a', '2'))
    expect(types(frames)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED'])
    expect(frames[1]?.object).toMatchObject({ metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } })
  })

  it('a version from before the history is an ERROR frame, then the end', async () => {
    const server = createTestServer()
    server.state.storage.compact()
    const { frames } = await server.watch(`${path}?watch=1&resourceVersion=1`)
    expect(types(frames)).toEqual(['ERROR', 'end'])
    expect(frames[0]?.object).toMatchObject({ code: 410, reason: 'Expired' })
  })

  it('a version from the future is silence until the counter has passed it', async () => {
    const server = createTestServer()
    const future = server.state.storage.version() + 2
    const { frames } = await server.watch(`${path}?watch=1&resourceVersion=${future}`)
    for (const name of ['a', 'b', 'c']) await server.ask(`POST ${path}`, write(name))
    expect(frames.map((frame) => (frame?.object['metadata'] as { name?: string } | undefined)?.name)).toEqual(['c'])
  })

  it('with initial events it is an ERROR 504 after three seconds', async () => {
    const server = createTestServer()
    const { frames } = await server.watch(
      `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999`,
    )
    server.clock.advance(3100)
    expect(types(frames)).toEqual(['ERROR', 'end'])
    expect(frames[0]?.object).toMatchObject({ code: 504, details: { retryAfterSeconds: 1 } })
  })

  it('an object that leaves the selection is DELETED with its old labels', async () => {
    const server = createTestServer()
    await server.ask(`POST ${path}`, { metadata: { name: 'a', labels: { x: '1' } } })
    const { frames, stop } = await server.watch(`${path}?watch=1&labelSelector=x%3D1`)
    await server.ask(`PUT ${path}/a`, { metadata: { name: 'a', labels: { x: '2' } } })
    stop()
    await server.ask(`PUT ${path}/a`, { metadata: { name: 'a', labels: { x: '1' } } })
    expect(types(frames)).toEqual(['ADDED', 'DELETED'])
    expect(frames[1]?.object).toMatchObject({ metadata: { labels: { x: '1' } } })
  })

  it('a server without watch lists refuses initial events', async () => {
    const server = createTestServer({ hasWatchList: false })
    const answer = await server.ask(`GET ${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`)
    expect(answer).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'sendInitialEvents' }] } } })
  })
})
