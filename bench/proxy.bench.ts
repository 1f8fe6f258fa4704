// What rules cost: generation against plain text from template literals, one change against everything, and, with
// `kernel`, kube-proxy-ts against kube-proxy 1.37 in namespaces of their own (root, and `pnpm originals`).
// `pnpm bench:proxy [kernel [iptables-nft|iptables-legacy|nftables …] [ours]] [services x endpoints …]`; `ours` leaves
// kube-proxy out, which does not come to an end with 10,000x5. Read the ratios.

import { execFileSync } from 'node:child_process'
import { bundleDaemon } from '../test/harness/daemon.ts'
import { type KernelBackend, type KernelCosts, measureKernel } from './proxy/kernel.ts'
import type { LibraryCosts } from './proxy/library.ts'

// Those of the daemon: of the image, and what it sets itself.
const flags = ['--max-semi-space-size=4', '--interrupt-budget=1000000']
const rounds = 15

const words = process.argv.slice(2).filter((word) => word !== '--')
const sizes = words.flatMap((word) => {
  const [, services, endpoints] = /^([0-9]+)x([0-9]+)$/.exec(word) ?? []
  return services === undefined ? [] : [[Number(services), Number(endpoints)] as const]
})

if (words.includes('kernel')) await compareKernels(sizes.length > 0 ? sizes : [[1000, 3] as const])
else
  await compareLibraries(
    sizes.length > 0
      ? sizes
      : [
          [5000, 5],
          [10_000, 5],
        ],
  )

async function compareLibraries(all: readonly (readonly [number, number])[]): Promise<void> {
  const file = await bundleDaemon('bench/proxy/library-process.ts')
  for (const [services, endpoints] of all) {
    const command = [...flags, file, ...[services, endpoints, rounds].map(String)]
    printLibrary(endpoints, JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as LibraryCosts)
  }
}

function printLibrary(endpoints: number, costs: LibraryCosts): void {
  const full = costs.buildMs + costs.textMs
  const row = {
    size: `${costs.services} × ${endpoints}`,
    'text, MiB': costs.textMiB.toFixed(1),
    'plain text, ms': costs.plainMs.toFixed(0),
    'C sprintf, ms': costs.cMs?.toFixed(0),
    'names alone, ms': costs.namesMs.toFixed(0),
    'build, ms': costs.buildMs.toFixed(0),
    'text, ms': costs.textMs.toFixed(0),
    'first round, ms': costs.firstMs.toFixed(0),
    'full / plain': (full / costs.plainMs).toFixed(1),
    'full / C': costs.cMs && (full / costs.cMs).toFixed(1),
    'one change, ms': costs.changeMs.toFixed(2),
    'change / full': (costs.changeMs / full).toFixed(5),
    'change, bytes': costs.changeBytes,
  }
  console.table([row])
}

async function compareKernels(all: readonly (readonly [number, number])[]): Promise<void> {
  const named = (['iptables-nft', 'iptables-legacy', 'nftables'] as const).filter((name) => words.includes(name))
  for (const backend of named.length > 0 ? named : (['iptables-nft'] as const))
    for (const [services, endpoints] of all) await compareKernel(backend, services, endpoints)
}

async function compareKernel(backend: KernelBackend, services: number, endpoints: number): Promise<void> {
  const run = { backend, services, endpoints, rounds: 5 }
  const ours = await measureKernel({ ...run, program: 'kube-proxy-ts' })
  const theirs = words.includes('ours') ? undefined : await measureKernel({ ...run, program: 'kube-proxy' })
  console.log(`${backend}, ${services} × ${endpoints}`)
  console.table((['first', 'endpoint', 'added', 'deleted'] as const).map((what) => rowOf(what, ours, theirs)))
  const pairs: readonly (readonly [string, (costs: KernelCosts) => string])[] = [
    ['from start to rules, s', (costs) => costs.startSeconds.toFixed(2)],
    ['resident after rest, MiB', (costs) => costs.residentMiB.toFixed(0)],
    ['events in the kernel at a second start', (costs) => String(costs.eventsOfRestart ?? '-')],
  ]
  for (const [name, of] of pairs) console.log(`${name}: ${of(ours)}${theirs === undefined ? '' : ` and ${of(theirs)}`}`)
}

function rowOf(what: 'first' | 'endpoint' | 'added' | 'deleted', ours: KernelCosts, theirs: KernelCosts | undefined) {
  const [a, b] = [ours[what], theirs?.[what]]
  return {
    sync: what,
    'ours, s': a.wallSeconds.toFixed(3),
    'kube-proxy, s': b?.wallSeconds.toFixed(3),
    ratio: b && (a.wallSeconds / b.wallSeconds).toFixed(3),
    'our CPU, s': a.cpuSeconds.toFixed(2),
    'its CPU, s': b?.cpuSeconds.toFixed(2),
    'without children': `${a.ownCpuSeconds.toFixed(2)}${b === undefined ? '' : ` and ${b.ownCpuSeconds.toFixed(2)}`}`,
  }
}
