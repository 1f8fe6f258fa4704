import { describe, expect, it } from 'vitest'
import type { KubeObject } from './index.ts'
import { createInformer } from './informer.ts'
import { fakeClock, scriptedSource, settle } from './testing/scripted-source.ts'

const fig = { metadata: { name: 'fig', namespace: 'orchard', uid: 'u1', resourceVersion: '7' } }
const pear = { metadata: { name: 'pear', namespace: 'orchard', uid: 'u2' } }

function orchard(objects: readonly KubeObject[] = [fig]) {
  const clock = fakeClock()
  const source = scriptedSource<KubeObject>(objects)
  const informer = createInformer(source, { clock, random: () => 0 })
  return { clock, source, informer }
}

describe('an informer', () => {
  it('lists where it was after the server forgot its version, and is never empty in between', async () => {
    const { clock, source, informer } = orchard()
    await informer.start().synced()
    await settle()
    source.expire()
    source.drop()
    await clock.advance(1_000)
    expect(source.requests.at(-2)).toMatch(/list .*resourceVersion=7/)
    expect(informer.store.get('fig', 'orchard')).toBeDefined()
    await informer.close()
    expect(clock.sleepers).toBe(0)
    expect(source.openWatches).toBe(0)
  })

  it('tells changes after the store has them', async () => {
    const { source, informer } = orchard()
    const seen: string[] = []
    informer.events$.subscribe((event) => seen.push(`${event.type} ${event.key} ${informer.store.size}`))
    await informer.start().synced()
    await settle()
    source.add(pear)
    source.modify({ metadata: { ...pear.metadata, labels: { ripe: 'yes' } } })
    source.delete(fig)
    await settle()
    expect(seen).toEqual([
      'added orchard/fig 1',
      'added orchard/pear 2',
      'updated orchard/pear 2',
      'deleted orchard/fig 1',
    ])
    await informer.close()
  })
})
