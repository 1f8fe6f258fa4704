// Our proxy beside kube-proxy: random clusters and changes, both on a kernel of their own, saved rules compared chain by
// chain (tables in nftables mode). `pnpm differential proxy --minutes N [--seed N] [--family nftables]`. A difference
// prints its seed and step, enough to repeat it.

import type { RunOptions } from '../conformance/area.ts'
import { familiesOf } from '../conformance/proxy/case-options.ts'
import { chainDifference, isListedChain } from '../conformance/proxy/compare-saved.ts'
import { compareTables } from '../conformance/proxy/compare-tables.ts'
import type { Driver } from '../conformance/proxy/driver.ts'
import { createRealDriver } from '../conformance/proxy/real-driver.ts'
import { whyNoNetns } from '../harness/netns.ts'
import type { DifferentialOptions } from './dns.ts'
import { type RandomCluster, randomProxyCluster } from './proxy-cluster.ts'
import { seeded } from './seeded.ts'

/** Runs both until the time is over; the number of differences. */
export async function runDifferential(options: DifferentialOptions): Promise<number> {
  const missing = whyNoNetns()
  if (missing !== undefined) throw new Error(missing)
  const mode = options.family === 'nftables' ? 'nftables' : 'iptables'
  const common = { api: 'mini', via: 'real', settings: {}, progress: () => {} } as const
  const drivers = [
    await createRealDriver({ ...common, target: 'ours' } satisfies RunOptions),
    await createRealDriver({ ...common, target: 'original' } satisfies RunOptions),
  ] as const
  const endMs = Date.now() + options.minutes * 60_000
  const sums = { clusters: 0, states: 0, differences: 0 }
  try {
    for (let seed = options.seed; Date.now() < endMs; seed++) {
      const scenario = randomProxyCluster(seeded(seed), mode)
      sums.clusters += 1
      await compareCluster(drivers, scenario, (at, difference) => {
        sums.states += 1
        if (difference === undefined) return
        sums.differences += 1
        console.log(`seed ${seed} ${at}:\n${difference}`)
      })
    }
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()))
  }
  console.log(`${sums.clusters} clusters, ${sums.states} states, ${sums.differences} differences`)
  return sums.differences
}

async function compareCluster(
  drivers: readonly [Driver, Driver],
  { config, cluster, steps }: RandomCluster,
  tell: (at: string, difference: string | undefined) => void,
): Promise<void> {
  const families = familiesOf(config)
  const compare = async (at: string): Promise<void> => {
    for (const family of families)
      tell(
        `${at} IPv${family}`,
        config.mode === 'nftables' ? await tableDifference(drivers, family) : await stateDifference(drivers, family),
      )
  }
  try {
    await Promise.all(drivers.map((driver) => driver.begin(config, cluster)))
    await compare('start')
    for (const [i, step] of steps.entries()) {
      await Promise.all(drivers.map((driver) => driver.step(step)))
      await compare(`step ${i}`)
    }
  } finally {
    await Promise.all(drivers.map((driver) => driver.end()))
  }
}

async function stateDifference([ours, theirs]: readonly [Driver, Driver], family: 4 | 6): Promise<string | undefined> {
  const [mine, wanted] = [await ours.saved(family), await theirs.saved(family)]
  const differences: string[] = []
  for (const table of ['filter', 'nat']) {
    const listed = (saved: typeof mine) =>
      new Map([...(saved.get(table) ?? [])].filter(([name, rules]) => isListedChain(name, rules)))
    const [a, b] = [listed(wanted), listed(mine)]
    for (const chain of new Set([...a.keys(), ...b.keys()])) {
      const difference = chainDifference(table, chain, a.get(chain), b.get(chain))
      if (difference !== undefined) differences.push(difference)
    }
  }
  return differences.length === 0 ? undefined : differences.join('\n')
}

async function tableDifference([ours, theirs]: readonly [Driver, Driver], family: 4 | 6): Promise<string | undefined> {
  return compareTables((await theirs.tables?.(family)) ?? {}, (await ours.tables?.(family)) ?? {})
}
