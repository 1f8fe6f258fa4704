// One DNS case on a bench: one server per file, every question a probe, change sequences with their waits.

import type { CaseFile, ProbeResult } from '@kubewire/kube-model/cases'
import type { CaseServer, CaseServerBench } from './case-server.ts'
import { compareReply, type SeenReply, serialOf } from './compare-reply.ts'
import { type DnsCaseQuery, readDnsCase } from './dns-case.ts'

/** Runs a file. A server that does not start fails all its probes. */
export async function runDnsCase(
  bench: CaseServerBench,
  file: Pick<CaseFile, 'data'>,
): Promise<readonly ProbeResult[]> {
  const scenario = readDnsCase(file.data)
  const probes: ProbeResult[] = []
  let server: CaseServer
  try {
    server = await bench.start(scenario)
  } catch (cause) {
    const detail = `the server did not start: ${cause instanceof Error ? cause.message : String(cause)}`
    return [...scenario.queries, ...scenario.steps.flatMap((step) => step.queries ?? [])].map((query, i) => ({
      probe: `queries[${i}] ${query.q}`,
      outcome: 'failed',
      detail,
    }))
  }
  try {
    const serials = new Map<string, number | undefined>()
    for (const [i, query] of scenario.queries.entries()) {
      probes.push(await probe(server, query, `queries[${i}]`, serials))
    }
    for (const [s, step] of scenario.steps.entries()) {
      await bench.live?.pause(stepTimes.pauseMs)
      await server.change(step)
      probes.push(...(await probeStep(bench, server, step.queries ?? [], `steps[${s}].`, serials)))
    }
  } finally {
    await server.close()
  }
  return probes
}

/** Milliseconds: when a step is first asked, until when wrong answers are asked again, pause before the next step. */
const stepTimes = { firstMs: 1000, untilMs: 2000, pauseMs: 1100 }

async function probeStep(
  bench: CaseServerBench,
  server: CaseServer,
  queries: readonly DnsCaseQuery[],
  prefix: string,
  serials: Map<string, number | undefined>,
): Promise<ProbeResult[]> {
  const askAll = async (known: Map<string, number | undefined>): Promise<ProbeResult[]> => {
    const results: ProbeResult[] = []
    for (const [i, query] of queries.entries()) {
      results.push(await probe(server, query, `${prefix}queries[${i}]`, known))
    }
    return results
  }
  const { live } = bench
  const beginMs = live?.nowMs() ?? 0
  await live?.pause(stepTimes.firstMs)
  for (;;) {
    const known = new Map(serials)
    const results = await askAll(known)
    const isRight = results.every((result) => result.outcome === 'passed')
    if (isRight || live === undefined || live.nowMs() - beginMs > stepTimes.untilMs) {
      for (const [key, value] of known) serials.set(key, value)
      return results
    }
    await live.pause(100)
  }
}

async function probe(
  server: CaseServer,
  query: DnsCaseQuery,
  prefix: string,
  serials: Map<string, number | undefined>,
): Promise<ProbeResult> {
  const name = `${prefix} ${query.q}${query.transport === 'tcp' ? ' over tcp' : ''}`
  let seen: SeenReply | undefined
  try {
    seen = await server.ask(query)
  } catch (cause) {
    return {
      probe: name,
      outcome: 'failed',
      detail: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    }
  }
  const serial = serialOf(seen)
  const differences = [...compareReply(query.expect, seen), ...compareSerial(query, serials.get(query.q), serial)]
  serials.set(query.q, serial)
  if (differences.length === 0) return { probe: name, outcome: 'passed' }
  return { probe: name, outcome: 'failed', detail: differences.join('; ') }
}

function compareSerial(query: DnsCaseQuery, before: number | undefined, now: number | undefined): string[] {
  const wanted = query.expect.serial
  if (wanted === undefined || before === undefined) return []
  const isRight = wanted === 'same' ? now === before : now !== undefined && now > before
  return isRight ? [] : [`serial: expected ${wanted}, was ${before} and is ${now}`]
}
