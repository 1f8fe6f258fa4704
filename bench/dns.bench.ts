// What a DNS answer costs the server, beside an echo, CoreDNS, Knot and Unbound, in turns on pinned cores of this machine.
// `pnpm bench:dns [MODE...] [ahead] [services=10000] [rounds=5] [seconds=2]`; without a mode all of them, ten minutes. Read the
// ratios; the goals stand beside them. Load stays on the loopback and stops by itself.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDaemon } from '../test/harness/daemon.ts'
import { measureCodec } from './dns/codec.ts'
import { modes } from './dns/modes.ts'
import { printRows } from './dns/print-rows.ts'
import { runMode } from './dns/run-mode.ts'

const words = process.argv.slice(2).filter((word) => word !== '--')
const chosen = words.filter((word) => !word.includes('=') && word !== 'ahead')
const unknown = chosen.filter((word) => word !== 'codec' && !Object.hasOwn(modes, word))
if (unknown.length > 0) {
  console.error(`expected codec, ${Object.keys(modes).join(', ')}; got ${unknown.join(', ')}`)
  process.exit(2)
}
const number = (key: string, otherwise: number): number =>
  Number(words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1) ?? otherwise)
const services = number('services', 10_000)
const effort = { rounds: number('rounds', 5), seconds: number('seconds', 2) }

if (chosen.length === 0 || chosen.includes('codec')) printCodec()
const named = Object.entries(modes).filter(([name]) => chosen.length === 0 || chosen.includes(name))
if (named.length > 0) await printModes(named.map(([, mode]) => mode))

function printCodec(): void {
  console.log('Answers and changes without a socket')
  for (const { what, value, ratio, goal } of measureCodec(services)) {
    const verdict = goal === 0 ? '' : `goal ${goal}  ${ratio >= goal ? 'ok' : 'MISSED'}`
    console.log(`  ${what.padEnd(36)} ${value.padStart(9)}  ${ratio.toFixed(2).padStart(7)}  ${verdict}`)
  }
  console.log()
}

async function printModes(wanted: readonly (typeof modes)[string][]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
  const kubeconfig = join(dir, 'kubeconfig')
  const cluster = await startDaemon({
    daemon: 'bench/dns/cluster-process.ts',
    args: [kubeconfig, String(services)],
    isReady: ({ output }) => /^ready$/m.test(output()),
    readyLimitMs: 60_000,
  })
  try {
    console.log(`${services} Services, ${services * 5} endpoints, ${effort.rounds} rounds of ${effort.seconds} s\n`)
    for (const mode of wanted) {
      const rows = await runMode(mode, { dir, kubeconfig, services }, effort, (perSecond) =>
        cluster.write(`churn ${perSecond}\n`),
      )
      console.log(printRows(mode, rows))
    }
  } finally {
    await cluster.stop('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  }
}
