import { describe, expect, it } from 'vitest'
import { createTestServer } from '../testing/in-process.ts'

const path = '/api/v1/namespaces/default/configmaps'

describe('lists', () => {
  it('pages through one moment: what is deleted meanwhile is still there, what is new is not', async () => {
    const server = createTestServer()
    for (const name of ['a', 'b', 'c', 'd']) await server.ask(`POST ${path}`, { metadata: { name } })
    const seen: string[] = []
    let token = ''
    do {
      const { body } = await server.ask(`GET ${path}?limit=1${token && `&continue=${token}`}`)
      const { metadata, items } = body as never as {
        metadata: { continue?: string; remainingItemCount?: number }
        items: { metadata: { name: string } }[]
      }
      seen.push(`${items[0]?.metadata.name} ${metadata.remainingItemCount ?? 0}`)
      token = metadata.continue ?? ''
      await server.ask(`DELETE ${path}/c`)
      await server.ask(`POST ${path}`, { metadata: { name: `b${seen.length}` } })
    } while (token !== '')
    expect(seen).toEqual(['a 3', 'b 2', 'c 1', 'd 0'])
  })

  it('a token after compaction is 410 and brings one for the rest of now', async () => {
    const server = createTestServer()
    for (const name of ['a', 'b', 'c']) await server.ask(`POST ${path}`, { metadata: { name } })
    const first = await server.ask(`GET ${path}?limit=1`)
    await server.ask(`DELETE ${path}/b`)
    server.state.storage.compact()
    const gone = await server.ask(`GET ${path}?continue=${(first.body['metadata'] as { continue: string }).continue}`)
    expect(gone).toMatchObject({ status: 410, body: { reason: 'Expired' } })
    const rest = await server.ask(`GET ${path}?continue=${(gone.body['metadata'] as { continue: string }).continue}`)
    expect(rest.body['items']).toMatchObject([{ metadata: { name: 'c' } }])
  })

  it('a cap cuts pages that nobody asked for', async () => {
    const server = createTestServer({ pageCap: 2 })
    for (const name of ['a', 'b', 'c']) await server.ask(`POST ${path}`, { metadata: { name } })
    const { body } = await server.ask(`GET ${path}`)
    expect(body).toMatchObject({ metadata: { remainingItemCount: 1 }, items: [{}, {}] })
  })

  it('items of built-in kinds do not repeat their kind', async () => {
    const server = createTestServer()
    const { body } = await server.ask('GET /api/v1/namespaces')
    const [item] = body['items'] as { kind?: string }[]
    expect(body['kind']).toBe('NamespaceList')
    expect(item?.kind).toBeUndefined()
  })
})
