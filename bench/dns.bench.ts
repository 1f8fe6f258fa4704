import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDaemon } from '../test/harness/daemon.ts'
import { load } from './dns/load.ts'
import { residentMiB } from './dns/cpu.ts'
import { questionLines } from './dns/objects.ts'
import { subjects } from './dns/subjects.ts'

const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
const [services = 10000, rounds = 3] = process.argv.slice(2).map(Number)
const kubeconfig = join(dir, 'kubeconfig')
const api = await startDaemon({ daemon: 'bench/dns/cluster-process.ts', args: [kubeconfig, String(services)], isReady: (p) => /^ready$/m.test(p.output()), readyLimitMs: 60000 })
console.log('cluster up')
const questions = join(dir, 'a')
writeFileSync(questions, questionLines('a', services).join('\n'))
const only = process.argv[4]
const cacheSeconds = process.argv[5] ? Number(process.argv[5]) : undefined
let port = 15300
const running = []
for (const s of subjects) {
  if (only && !new RegExp(only).test(s.name)) continue
  port += 2
  running.push({ name: s.name, port, program: await s.start({ dir, kubeconfig, services, cores: '0' }, { port, ...(cacheSeconds ? {cacheSeconds} : {}) }), got: [] as number[] })
  console.log(s.name, 'up')
}
for (const r of running) await load(r.program.pid, { port: r.port, questions, seconds: 1, cores: '1' })
for (let i = 0; i < rounds; i++)
  for (const r of running) {
    const m = await load(r.program.pid, { port: r.port, questions, seconds: 2, cores: '1' })
    r.got.push(m.cpuMicroseconds)
    console.log(r.name, m.answered, m.lost, m.cpuMicroseconds.toFixed(2), 'us', m.perSecond)
  }
const med = (v: number[]) => v.toSorted((a, b) => a - b)[v.length >> 1] ?? 0
const base = med(running[0]?.got ?? [])
for (const r of running) console.log(r.name, med(r.got).toFixed(2), (base / med(r.got)).toFixed(2), residentMiB(r.program.pid).toFixed(0), 'MiB')
for (const r of running) await r.program.stop('SIGKILL')
await api.stop('SIGKILL')
rmSync(dir, { recursive: true, force: true })
