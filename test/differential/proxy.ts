// Our proxy beside kube-proxy: random clusters and changes, both on a kernel of their own, in turns with iptables-nft,
// iptables-legacy and nftables. Compared are the saved rules chain by chain (tables in nftables mode), simulated packets,
// health check node ports, counts and tracked flows; some real connections too.
// `pnpm differential proxy --minutes N [--seed N] [--family iptables-legacy]`. A difference prints its seed and step,
// enough to repeat it.

import { setTimeout as delay } from 'node:timers/promises'
import {
  type CaseDriver,
  chainDifference,
  compareTables,
  createLibraryDriver,
  differ,
  familiesOf,
  isListedChain,
  type NftTables,
  type SavedTables,
} from '@kubewire/iptables-gen/cases'
import type { RunOptions } from '../conformance/area.ts'
import { configureAsDaemon } from '../conformance/proxy/configure.ts'
import { createRealDriver } from '../conformance/proxy/real-driver.ts'
import { whyNoNetns } from '../harness/netns.ts'
import type { DifferentialOptions } from './dns.ts'
import { type RandomCluster, randomProxyCluster } from './proxy-cluster.ts'
import { connectionDifference } from './proxy-connections.ts'
import { packetDifference, randomPackets } from './proxy-packets.ts'
import { type Seeded, seeded } from './seeded.ts'

const modes = ['iptables-nft', 'nftables', 'iptables-legacy'] as const
type Mode = (typeof modes)[number]

/** The three ways beside each other, and what was compared. */
interface Run {
  readonly ours: CaseDriver
  readonly theirs: CaseDriver
  readonly library: CaseDriver
  readonly mode: Mode
  readonly random: Seeded
  /** Counts what was compared, and tells the difference if there is one. */
  readonly tell: (what: keyof Sums, at: string, difference: string | undefined) => void
  /** Called where the original changed its mind without any change of the cluster. */
  readonly waver: (at: string) => void
}

interface Sums {
  states: number
  packets: number
  connections: number
  flows: number
  health: number
}

/** Runs both until the time is over; the number of differences. */
export async function runDifferential(options: DifferentialOptions): Promise<number> {
  const missing = whyNoNetns()
  if (missing !== undefined) throw new Error(missing)
  const chosen = modes.filter((mode) => options.family === undefined || mode === options.family)
  if (chosen.length === 0) throw new Error(`expected a family (${modes.join(', ')}), got ${options.family}`)
  const pairs = new Map<string, readonly [CaseDriver, CaseDriver]>()
  for (const mode of chosen) {
    const variant = variantOf(mode)
    if (!pairs.has(variant))
      pairs.set(variant, [await openDriver('ours', variant), await openDriver('original', variant)])
  }
  const endMs = Date.now() + options.minutes * 60_000
  const sums: Sums = { states: 0, packets: 0, connections: 0, flows: 0, health: 0 }
  const clusters = new Map<Mode, number>()
  let differences = 0
  let undecided = 0
  let reportedAtMs = Date.now()
  const report = (): void => {
    const counts = [...clusters].map(([mode, count]) => `${mode} ${count}`).join(', ')
    console.log(
      `clusters: ${counts}; compared: ${JSON.stringify(sums)}; ${differences} differences, ${undecided} undecided`,
    )
    reportedAtMs = Date.now()
  }
  try {
    for (let seed = options.seed; Date.now() < endMs; seed++) {
      const mode = chosen[seed % chosen.length] ?? 'iptables-nft'
      clusters.set(mode, (clusters.get(mode) ?? 0) + 1)
      const random = seeded(seed)
      const scenario = randomProxyCluster(random, mode === 'nftables' ? 'nftables' : 'iptables')
      const [ours, theirs] = pairs.get(variantOf(mode)) as readonly [CaseDriver, CaseDriver]
      const tell: Run['tell'] = (what, at, difference) => {
        sums[what] += 1
        if (difference === undefined) return
        differences += 1
        console.log(`seed ${seed} ${mode} ${at} (${what}):\n${difference}`)
      }
      const waver: Run['waver'] = (at) => {
        undecided += 1
        console.log(`seed ${seed} ${mode} ${at}: the original has ours after a restart, not before`)
      }
      await compareCluster(
        { ours, theirs, library: createLibraryDriver(configureAsDaemon), mode, random, tell, waver },
        scenario,
      )
      if (Date.now() - reportedAtMs > 300_000) report()
    }
  } finally {
    await Promise.all([...pairs.values()].flat().map((driver) => driver.close()))
  }
  report()
  return differences
}

function variantOf(mode: Mode): 'nft' | 'legacy' {
  return mode === 'iptables-legacy' ? 'legacy' : 'nft'
}

function openDriver(target: RunOptions['target'], backend: string): Promise<CaseDriver> {
  const settings = { backend, pace: 'fast' }
  return createRealDriver({ target, api: 'mini', via: 'real', settings, progress: () => {} })
}

async function compareCluster(run: Run, { config, stack, cluster, steps }: RandomCluster): Promise<void> {
  const { ours, theirs, library, random, tell } = run
  const all = [ours, theirs, library]
  let objects = cluster
  const compare = async (at: string): Promise<void> => {
    const packets = randomPackets(random, objects, stack, 12)
    for (const family of familiesOf(config)) {
      const state = `${at} IPv${family}`
      if (run.mode === 'nftables') {
        tell('states', state, await decided(run, state, () => tableDifference(run, family)))
        continue
      }
      const read = async () => ({ found: await ours.saved(family), wanted: await theirs.saved(family) })
      tell('states', state, await decided(run, state, async () => stateDifference(await read())))
      const { found, wanted } = await read()
      for (const packet of packets)
        if (packet.to.ip.includes(':') === (family === 6))
          tell('packets', at, packetDifference(packet, wanted, found, config))
    }
    tell('health', at, await settled(() => healthDifference(run, familiesOf(config))))
  }
  try {
    await Promise.all(all.map((driver) => driver.begin(config, cluster)))
    await compare('start')
    for (const [i, { step, objects: after, flows, restarts }] of steps.entries()) {
      if (restarts) await Promise.all(all.map((driver) => driver.restart?.()))
      if (flows.length > 0) await Promise.all([ours, theirs].map((driver) => driver.seed(flows)))
      await Promise.all(all.map((driver) => driver.step(step)))
      objects = after
      if (flows.length > 0) tell('flows', `step ${i}`, await settled(() => flowDifference(run)))
      await compare(`step ${i}`)
    }
    for (const packet of randomPackets(random, objects, stack, 2))
      tell('connections', 'end', await connectionDifference(packet, library, { ours, theirs }))
  } finally {
    await Promise.all(all.map((driver) => driver.end()))
  }
}

/**
 * A state that is different and equal once the original started again was no answer to this cluster: kube-proxy 1.37.2 now
 * and then starts without the labels of its Node and then balances over the endpoints of all zones.
 */
async function decided(
  run: Run,
  at: string,
  difference: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const found = await settled(difference)
  if (found === undefined) return undefined
  await run.theirs.restart?.()
  if ((await settled(difference)) !== undefined) return found
  run.waver(at)
  return undefined
}

// One of them may be a sync behind when the machine is busy: what stays different is a difference.
async function settled(difference: () => Promise<string | undefined>): Promise<string | undefined> {
  for (let tries = 0; tries < 3; tries++) {
    if ((await difference()) === undefined) return undefined
    await delay(1000)
  }
  return difference()
}

function stateDifference({
  wanted,
  found,
}: {
  readonly wanted: SavedTables
  readonly found: SavedTables
}): string | undefined {
  const differences: string[] = []
  for (const table of ['filter', 'nat']) {
    const listed = (saved: SavedTables) =>
      new Map([...(saved.get(table) ?? [])].filter(([name, rules]) => isListedChain(name, rules)))
    const [a, b] = [listed(wanted), listed(found)]
    for (const chain of new Set([...a.keys(), ...b.keys()])) {
      const difference = chainDifference(table, chain, a.get(chain), b.get(chain))
      if (difference !== undefined) differences.push(difference)
    }
  }
  return differences.length === 0 ? undefined : differences.join('\n')
}

// Comments of elements aside: the original keeps the old one when the verdict of a port stays, until the next full sync.
async function tableDifference({ ours, theirs }: Run, family: 4 | 6): Promise<string | undefined> {
  const plain = async (driver: CaseDriver): Promise<NftTables[string]> =>
    JSON.parse(JSON.stringify((await driver.tables?.(family)) ?? {}).replaceAll(/ comment \\"[^"\\]*\\"(?= :)/g, ''))
  return compareTables(await plain(theirs), await plain(ours))
}

// What both tell about themselves: health check node ports and what they answer, and counts.
async function healthDifference(
  { ours, theirs, mode }: Run,
  families: readonly (4 | 6)[],
): Promise<string | undefined> {
  const facts = async (driver: CaseDriver): Promise<unknown> => {
    const ports = await driver.openPorts()
    const counts = []
    for (const family of families) {
      counts.push(await driver.noLocalEndpoints(family))
      if (mode !== 'nftables') counts.push(await driver.rulesTotal(family))
    }
    const answers = []
    for (const port of ports) {
      const { status, headers, text } = await driver.request({ port, path: '/any' })
      const { 'content-type': type, 'x-content-type-options': options, ...rest } = headers
      answers.push([port, status, type, options, rest['x-load-balancing-endpoint-weight'], text])
    }
    return { counts, answers }
  }
  return differ(await facts(theirs), await facts(ours))
}

async function flowDifference({ ours, theirs }: Run): Promise<string | undefined> {
  return differ([...(await theirs.remaining())].sort(), [...(await ours.remaining())].sort())
}
