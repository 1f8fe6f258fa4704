// Our library beside CoreDNS: random clusters, Corefiles and questions, whole answers compared. `pnpm differential dns
// --minutes N [--seed N] [--family NAME]`. A difference prints its seed, Corefile and question, enough to repeat it.

import { printRecord } from '@kubewire/dns-core'
import { createLibraryBench, type DnsCase, type DnsCaseQuery, type SeenReply, serialOf } from '@kubewire/dns-core/cases'
import { processBench } from '../conformance/dns/process-server.ts'
import { originalBinary } from '../harness/api-server.ts'
import { startDaemon } from '../harness/daemon.ts'
import { createNetns, whyNoNetns } from '../harness/netns.ts'
import { randomCluster } from './dns-cluster.ts'
import { randomCorefile } from './dns-corefile.ts'
import { randomQuestions } from './dns-questions.ts'
import { randomSteps } from './dns-steps.ts'
import { seeded } from './seeded.ts'

/** What a run is asked for. */
export interface DifferentialOptions {
  readonly minutes: number
  readonly seed: number
  readonly family?: string
}

/** Runs in a namespace of its own; the number of differences. */
export async function runDifferential(options: DifferentialOptions): Promise<number> {
  const missing = whyNoNetns()
  if (missing !== undefined) throw new Error(missing)
  const program = [originalBinary('coredns')]
  const netns = await createNetns('diff', { 'resolv.conf': 'nameserver 127.0.0.1\n' })
  try {
    const inside = await startDaemon({
      daemon: 'test/differential/dns.ts',
      netns,
      args: ['inside', JSON.stringify({ ...options, program })],
    })
    let differences = 0
    inside.onLine((line) => {
      if (line.startsWith('differences ')) differences = Number(line.slice('differences '.length))
      else console.log(line)
    })
    await inside.ended
    if (!inside.output().includes('differences ')) console.log(inside.output().slice(-3000))
    return differences
  } finally {
    await netns.close()
  }
}

if (process.argv[2] === 'inside') await runInside()

async function runInside(): Promise<void> {
  const options = JSON.parse(process.argv[3] ?? '{}') as DifferentialOptions & { readonly program: readonly string[] }
  const original = await processBench({ program: options.program })
  const ours = createLibraryBench()
  const endMs = Date.now() + options.minutes * 60_000
  let [clusters, questions, differences, refused] = [0, 0, 0, 0]
  for (let seed = options.seed; Date.now() < endMs; seed++) {
    const scenario = scenarioOf(seed, options.family)
    clusters++
    const [theirs, mine] = [
      await original.start(scenario.dnsCase).catch(messageOf),
      await ours.start(scenario.dnsCase).catch(messageOf),
    ]
    const shown: string[] = []
    if (typeof theirs === 'string' || typeof mine === 'string') {
      // A configuration that both refuse is no difference.
      if (typeof theirs !== 'string' || typeof mine !== 'string') {
        differences++
        console.log(`seed ${seed}: only one starts: ${theirs}, ${mine}\n${scenario.dnsCase.corefile}`)
      } else refused++
      for (const server of [theirs, mine]) if (typeof server !== 'string') await server.close()
      continue
    }
    const serials = new Map<string, readonly [theirs: number | undefined, ours: number | undefined]>()
    for (const query of scenario.dnsCase.queries) {
      questions++
      const [expected, got] = [
        await theirs.ask(query).catch(() => undefined),
        await mine.ask(query).catch((error: unknown) => String(error)),
      ]
      const difference = typeof got === 'string' ? got : compareAnswers(expected, got, scenario.countsDown)
      if (typeof got !== 'string') compareSerials(serials, query, expected, got)
      if (difference !== undefined) shown.push(`${JSON.stringify({ ...query, expect: undefined })}\n${difference}`)
    }
    for (const step of options.family === 'steps' ? scenario.dnsCase.steps : []) {
      await sleep(1100)
      await Promise.all([theirs.change(step), mine.change(step)])
      await sleep(900)
      for (const query of step.queries ?? []) {
        questions++
        const [expected, got] = [await theirs.ask(query).catch(() => undefined), await mine.ask(query)]
        const difference = compareAnswers(expected, got, false) ?? compareSerials(serials, query, expected, got)
        if (difference !== undefined)
          shown.push(`${JSON.stringify({ ...step, queries: undefined })}\n${query.q}\n${difference}`)
      }
    }
    await theirs.close()
    await mine.close()
    differences += shown.length
    if (shown.length > 0) {
      console.log(
        `seed ${seed} (${scenario.family}): ${shown.length} differences\n${scenario.dnsCase.corefile}${shown.slice(0, 8).join('\n')}\n`,
      )
    }
  }
  console.log(`${clusters} clusters (${refused} refused), ${questions} questions, ${differences} differences`)
  console.log(`differences ${differences}`)
  process.exit()
}

function scenarioOf(seed: number, family?: string): { dnsCase: DnsCase; family: string; countsDown: boolean } {
  const random = seeded(seed)
  const cluster = randomCluster(random)
  const corefile = randomCorefile(random, cluster.namespaces, family)
  const queries = randomQuestions(random, cluster, 150).filter(
    (query) => corefile.family === 'autopath' || delete (query as { client?: string }).client,
  )
  const soas: DnsCaseQuery[] = ['cluster.local. SOA', 'clusterset.local. SOA'].map((q) => ({ q, expect: {} }))
  return {
    family: corefile.family,
    countsDown: corefile.countsDown,
    dnsCase: {
      cluster: cluster.objects,
      corefile: corefile.corefile,
      files: corefile.files,
      env: {},
      serverAddresses: corefile.serverAddresses,
      noApiServer: false,
      queries: [...soas, ...queries].filter(
        (query: DnsCaseQuery) => corefile.serverAddresses.length > 0 || !asksForServers(query),
      ),
      steps: randomSteps(random, cluster.objects, 5).map((step) => ({
        ...step,
        queries: [...soas, ...randomQuestions(random, cluster, 25).filter((query) => !asksForServers(query))].map(
          withoutClient,
        ),
      })),
    },
  }
}

/** Change sequences are asked from one place. */
function withoutClient({ client: _client, ...query }: DnsCaseQuery): DnsCaseQuery {
  return query
}

/** Without addresses of its own a server has no name servers to speak of, and the machine's would show. */
function asksForServers({ q }: DnsCaseQuery): boolean {
  const [name = '', type] = q.split(' ')
  return type === 'NS' || name.toLowerCase().startsWith('ns.dns.') || type === 'AXFR' || type === 'IXFR'
}

/** Whether both serials moved since the same question was asked before, or both did not. */
function compareSerials(
  before: Map<string, readonly [theirs: number | undefined, ours: number | undefined]>,
  { q }: DnsCaseQuery,
  theirs: SeenReply | undefined,
  ours: SeenReply | undefined,
): string | undefined {
  const now = [serialOf(theirs), serialOf(ours)] as const
  const last = before.get(q)
  before.set(q, now)
  if (last === undefined || !q.endsWith(' SOA')) return undefined
  const [theirMoved, ourMoved] = [now[0] !== last[0], now[1] !== last[1]]
  return theirMoved === ourMoved
    ? undefined
    : `  serial: original ${theirMoved ? 'moved' : 'stayed'}, ours ${ourMoved ? 'moved' : 'stayed'}`
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function compareAnswers(
  theirs: SeenReply | undefined,
  ours: SeenReply | undefined,
  countsDown: boolean,
): string | undefined {
  const [expected, got] = [printReply(theirs, countsDown), printReply(ours, countsDown)]
  return expected === got ? undefined : `  original: ${expected}\n  ours:     ${got}`
}

function printReply(reply: SeenReply | undefined, countsDown: boolean): string {
  if (reply === undefined) return 'no reply'
  const { rcode, aa, tc, otherFlags, opt } = reply
  const head = `${rcode}${aa ? ' aa' : ''}${tc ? ' tc' : ''} ${otherFlags.toString(16)}${opt === undefined ? '' : ` opt ${opt}`}`
  // How many records fit may depend on their order, which is nobody's promise.
  if (tc) return head
  const sections = [reply.answer, reply.authority, reply.additional].map((records) => {
    const texts = records.map((record) => {
      const data = record.data.kind === 'soa' ? { ...record.data, serial: 0 } : record.data
      return printRecord({ ...record, data, ttlSeconds: countsDown ? 0 : record.ttlSeconds })
    })
    return [...new Set(texts)].sort().join(' | ')
  })
  return `${head} [${sections.join('] [')}]`
}
