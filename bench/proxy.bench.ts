// What rules cost: generation against plain text from template literals, one change against everything, and, with
// `kernel`, kube-proxy-ts against kube-proxy 1.37 in namespaces of their own (root, and `pnpm originals`).
// `pnpm bench:proxy [kernel] [services x endpoints …]`. Read the ratios.

import { type KernelCosts, measureKernel } from './proxy/kernel.ts'
import { type LibraryCosts, measureLibrary } from './proxy/library.ts'

const words = process.argv.slice(2).filter((word) => word !== '--')
const sizes = words.flatMap((word) => {
  const [, services, endpoints] = /^([0-9]+)x([0-9]+)$/.exec(word) ?? []
  return services === undefined ? [] : [[Number(services), Number(endpoints)] as const]
})

if (words.includes('kernel')) await compareKernels(sizes.length > 0 ? sizes : [[1000, 3] as const])
else
  compareLibraries(
    sizes.length > 0
      ? sizes
      : [
          [5000, 5],
          [10_000, 5],
        ],
  )

function compareLibraries(all: readonly (readonly [number, number])[]): void {
  for (const [services, endpoints] of all) printLibrary(endpoints, measureLibrary(services, endpoints, 5))
}

function printLibrary(endpoints: number, costs: LibraryCosts): void {
  const full = costs.buildMs + costs.textMs
  const row = {
    size: `${costs.services} × ${endpoints}`,
    'text, MiB': costs.textMiB.toFixed(1),
    'plain text, ms': costs.plainMs.toFixed(0),
    'build, ms': costs.buildMs.toFixed(0),
    'text, ms': costs.textMs.toFixed(0),
    'full / plain': (full / costs.plainMs).toFixed(1),
    'one change, ms': costs.changeMs.toFixed(2),
    'change / full': (costs.changeMs / full).toFixed(5),
    'change, bytes': costs.changeBytes,
  }
  console.table([row])
}

async function compareKernels(all: readonly (readonly [number, number])[]): Promise<void> {
  for (const [services, endpoints] of all) {
    const ours = await measureKernel('kube-proxy-ts', services, endpoints, 5)
    const theirs = await measureKernel('kube-proxy', services, endpoints, 5)
    console.log(`${services} × ${endpoints}`)
    console.table((['first', 'endpoint', 'added', 'deleted'] as const).map((what) => rowOf(what, ours, theirs)))
    console.log(`resident, MiB: ${ours.residentMiB.toFixed(0)} and ${theirs.residentMiB.toFixed(0)}`)
  }
}

function rowOf(what: 'first' | 'endpoint' | 'added' | 'deleted', ours: KernelCosts, theirs: KernelCosts) {
  const [a, b] = [ours[what], theirs[what]]
  return {
    sync: what,
    'ours, s': a.wallSeconds.toFixed(3),
    'kube-proxy, s': b.wallSeconds.toFixed(3),
    ratio: (a.wallSeconds / b.wallSeconds).toFixed(3),
    'our CPU, s': a.cpuSeconds.toFixed(2),
    'its CPU, s': b.cpuSeconds.toFixed(2),
  }
}
