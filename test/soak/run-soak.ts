// One soak: fill the cluster, change it all the time, break it in turn, ask all the time, and judge every answer.

import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '../differential/seeded.ts'
import { startDaemon } from '../harness/daemon.ts'
import { createChurn } from './churn.ts'
import { FaultLog } from './fault-log.ts'
import { faults } from './faults.ts'
import { compareFinalState } from './final-state.ts'
import { type Probed, type ProbeKind, type ProbePlan, probeKinds } from './probe.ts'
import { type Sample, sampleDaemons } from './resources.ts'
import { fixedObjects } from './soak-objects.ts'
import { createSoakWorld, daemonNames, type SoakDaemon, type SoakWorld } from './soak-world.ts'
import { createTruth, type Truth } from './truth.ts'

/** How long, how much, how often. */
export interface SoakOptions {
  readonly minutes: number
  /** Services altogether, of which `probed` are asked. */
  readonly services: number
  readonly probed: number
  readonly changesPerSecond: number
  readonly faultEverySeconds: number
  readonly seed: number
  readonly progress: (text: string) => void
}

/** How the questions of one kind went. */
export interface ProbeCount {
  asked: number
  failedInFaults: number
  /** The longest time after which an endpoint that had left still answered, outside the times when nothing could be heard. */
  latestMs: number
}

/** What came out. */
export interface SoakResult {
  readonly options: SoakOptions
  readonly changes: number
  readonly counts: Readonly<Record<ProbeKind, ProbeCount>>
  /** Answers that were wrong, and questions that failed though no fault explains it: none may be. */
  readonly wrong: readonly string[]
  readonly failed: readonly string[]
  readonly faults: FaultLog
  readonly samples: ReadonlyMap<SoakDaemon, readonly Sample[]>
  readonly differences: readonly string[]
  /** What the daemons that ran last said; the last megabyte of each. */
  readonly logs: ReadonlyMap<SoakDaemon, string>
}

/** How late an answer may be before it is wrong: the TTL of the records, the pace of syncs, and a busy machine. */
const staleMs = 30_000

/** Runs it. Needs root. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const random = seeded(options.seed)
  const truth = createTruth(120_000)
  const sizes = { probed: options.probed, bulk: options.services - options.probed }
  let churn: ReturnType<typeof createChurn> | undefined
  const world = await createSoakWorld(options.probed, (api) => {
    api.apply(...fixedObjects(options.probed))
    churn = createChurn(api, sizes, truth, random)
    churn.fill()
  })
  try {
    const log = new FaultLog()
    const judge = createJudge(log, truth)
    const samples = new Map<SoakDaemon, Sample[]>()
    options.progress('the cluster is up; waiting until it is whole')
    const before = await compareFinalState(world, truth, options.probed, 60_000)
    if (before.length > 0) throw new Error(`the cluster never became whole: ${before.slice(0, 5).join('; ')}`)
    const client = await startClient(world, options.probed, judge.take)
    const endMs = Date.now() + options.minutes * 60_000
    let changes = 0
    const changing = setInterval(() => {
      for (let i = 0; i < options.changesPerSecond / 20; i += 1) churn?.change()
      changes += options.changesPerSecond / 20
    }, 50)
    const sampling = setInterval(() => {
      for (const [name, sample] of sampleDaemons(world, Date.now()))
        samples.set(name, [...(samples.get(name) ?? []), sample])
    }, 5000)
    try {
      await breakInTurn(world, log, endMs, options)
    } finally {
      clearInterval(changing)
      clearInterval(sampling)
    }
    await delay(5000)
    await client.stop()
    options.progress('the changes are over; comparing with a cluster made from nothing')
    const differences = await compareFinalState(world, truth, options.probed, 30_000)
    const logs = new Map(daemonNames.map((name) => [name, world.daemon(name).output()]))
    return { options, changes, ...judge.result(), faults: log, samples, differences, logs }
  } finally {
    await world.close()
  }
}

/** Faults in turn until the time is up; those that start a daemon anew only in the first half, so that the rest shows its memory. */
async function breakInTurn(world: SoakWorld, log: FaultLog, endMs: number, options: SoakOptions): Promise<void> {
  const lastRestartMs = Date.now() + (endMs - Date.now()) / 2
  for (let turn = 0; ; turn += 1) {
    const nextMs = Date.now() + options.faultEverySeconds * 1000
    if (nextMs + 5000 > endMs) break
    await delay(options.faultEverySeconds * 1000)
    const fault = faults[turn % faults.length]
    if (fault === undefined || (fault.restartsDaemon === true && Date.now() > lastRestartMs)) continue
    const record = log.begin(fault.name, fault.affects, Date.now())
    await fault.run(world)
    record.endMs = Date.now()
    options.progress(`${fault.name}: ${record.endMs - record.startMs} ms, ${record.failed} questions failed`)
  }
  await delay(Math.max(0, endMs - Date.now()))
}

async function startClient(
  world: SoakWorld,
  services: number,
  take: (probed: Probed) => void,
): Promise<{ stop(): Promise<void> }> {
  const plan: ProbePlan = { services, rates: { dns: 40, tcp: 20, udp: 20, http: 40 }, timeoutMs: 2000 }
  const client = await startDaemon({
    daemon: 'test/soak/probe-child.ts',
    netns: world.client,
    args: [JSON.stringify(plan)],
  })
  client.onLine((line) => {
    if (line.startsWith('{')) take(JSON.parse(line) as Probed)
  })
  return { stop: () => client.stop() }
}

/** Sorts answers: right, wrong, failed because of a fault, failed. */
function createJudge(log: FaultLog, truth: Truth) {
  const counts = Object.fromEntries(
    probeKinds.map((kind) => [kind, { asked: 0, failedInFaults: 0, latestMs: 0 }]),
  ) as Record<ProbeKind, ProbeCount>
  const wrong: string[] = []
  const failed: string[] = []
  const take = (probed: Probed): void => {
    const count = counts[probed.kind]
    count.asked += 1
    const { kind, index, startMs, endMs, endpoints, error } = probed
    const when = new Date(startMs).toISOString()
    if (endpoints === undefined) {
      if (log.excuses(probed)) count.failedInFaults += 1
      else failed.push(`${when} ${kind} tea-${index}: ${error}`)
      return
    }
    const fromMs = startMs - log.lagMs(startMs)
    const lateMs = Math.max(...endpoints.map((address) => truth.lateMs(index, address, fromMs, endMs)))
    if (endpoints.length === 0 || lateMs > staleMs) {
      wrong.push(`${when} ${kind} tea-${index}: ${endpoints.join(' ') || 'nothing'}`)
    } else count.latestMs = Math.max(count.latestMs, lateMs)
  }
  return { take, result: () => ({ counts, wrong, failed }) }
}
