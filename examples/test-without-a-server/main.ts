// Testing code that uses an informer: a source played by hand and a clock that only moves when told to. Minutes of
// outage take no time.

import { createInformer, type KubeObject } from '@kubewire/informer'
import { fakeClock, scriptedSource } from '@kubewire/informer/testing'

const clock = fakeClock()
const source = scriptedSource<KubeObject>([{ metadata: { name: 'fig', namespace: 'orchard', resourceVersion: '7' } }])
const fruit = createInformer(source, { clock, random: () => 0 }).start()
await fruit.synced()
fruit.errors$.subscribe(({ code, retryInMs }) =>
  console.log(`${clock.nowMs()} ms: ${code}, next try in ${retryInMs} ms`),
)
fruit.changes$.subscribe(({ type, key }) => console.log(`${clock.nowMs()} ms: ${type} ${key}`))

// The server goes away for a while, forgets its history, and an object is gone when it is back.
source.refuse('list', { code: 503, message: 'starting' }, 3)
source.silently(() => source.delete({ metadata: { name: 'fig', namespace: 'orchard' } }))
source.drop()
await clock.advance(60_000)
source.add({ metadata: { name: 'pear', namespace: 'orchard' } })
await clock.advance(0)

console.log(`${source.requests.length} requests, the last: ${source.requests.at(-1)?.split('&')[0]}`)
await fruit.close()
console.log(`${clock.sleepers} timers and ${source.openWatches} watches are left`)
