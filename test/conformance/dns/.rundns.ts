import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { area } from '/work/main/test/conformance/dns/area.ts'

const filter = process.argv[2] ?? ''
const via = (process.argv[3] ?? 'library') as 'library'
const target = (process.argv[4] ?? 'ours') as 'ours'
const run = await area.open({ target, api: 'mini', via, settings: {}, progress: (l) => console.error(l) })
const root = '/work/main/test/conformance/cases/'
let shown = 0
for (const suite of area.suites) {
  let [p, f, s] = [0, 0, 0]
  for (const n of readdirSync(root + suite)) {
    if (!n.endsWith('.yaml') || !(suite + '/' + n).includes(filter)) continue
    const data = parse(readFileSync(`${root}${suite}/${n}`, 'utf8'))
    const unk = area.unknownKeys({ path: n, suite, name: n, data })
    if (unk.length) console.log('UNKNOWN', n, unk)
    const t = Date.now()
    const r = await run.runCase({ path: n, suite, name: n, data })
    let bad = 0
    for (const x of r) {
      if (x.outcome === 'passed') p++
      else if (x.outcome === 'skipped') s++
      else {
        f++
        bad++
        if (bad <= 6 && shown++ < 150) console.log(`${suite}/${n}: ${x.probe}: ${x.detail}`)
      }
    }
    if (bad) console.log(`  -- ${n}: ${bad} failed of ${r.length}`)
    if (Date.now() - t > 3000) console.log('   slow', n, Date.now() - t)
  }
  console.log(suite, p, 'passed', f, 'failed', s, 'skipped')
}
await run.close()
