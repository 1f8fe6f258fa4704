// One DNS case on a bench: one server per file, every question a probe, change sequences with their waits.

import type { CaseFile, ProbeResult } from '../area.ts'
import { compareReply, type SeenReply, serialOf } from './compare-reply.ts'
import { type CaseQuery, readDnsCase } from './dns-case.ts'
import type { ServerBench, ServerUnderTest } from './server-under-test.ts'

/** Runs a file. A server that does not start fails all its probes. */
export async function runDnsCase(bench: ServerBench, file: CaseFile): Promise<readonly ProbeResult[]> {
  const scenario = readDnsCase(file.data)
  const probes: ProbeResult[] = []
  let server: ServerUnderTest
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
      if (bench.isLive) await sleep(stepTimes.pauseMs)
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
  bench: ServerBench,
  server: ServerUnderTest,
  queries: readonly CaseQuery[],
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
  const begin = Date.now()
  if (bench.isLive) await sleep(stepTimes.firstMs)
  for (;;) {
    const known = new Map(serials)
    const results = await askAll(known)
    const isRight = results.every((result) => result.outcome === 'passed')
    if (isRight || !bench.isLive || Date.now() - begin > stepTimes.untilMs) {
      for (const [key, value] of known) serials.set(key, value)
      return results
    }
    await sleep(100)
  }
}

async function probe(
  server: ServerUnderTest,
  query: CaseQuery,
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

function compareSerial(query: CaseQuery, before: number | undefined, now: number | undefined): string[] {
  const wanted = query.expect.serial
  if (wanted === undefined || before === undefined) return []
  const isRight = wanted === 'same' ? now === before : now !== undefined && now > before
  return isRight ? [] : [`serial: expected ${wanted}, was ${before} and is ${now}`]
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
