// A check: something asked of the running demo, and what must come back. Checks double as the tour.

import { hasIpv6 } from '../netns.ts'
import type { DemoNamespace } from '../plan.ts'
import { type DemoWorld, quoteWord } from '../world.ts'

/** One row of a table of checks. */
export interface Check<World = DemoWorld> {
  /** The fact, as a sentence. */
  readonly name: string
  /** What is asked, as people would type it. */
  readonly asked: (world: World) => string
  readonly ask: (world: World) => Promise<string>
  readonly expected: string | RegExp
  /** Shown by the tour. */
  readonly isInTour?: boolean
  /** Only the real network can answer it. */
  readonly needsNode?: boolean
  /** Why it cannot be asked here; `undefined` when it can. */
  readonly whyNot?: (world: World) => Promise<string | undefined>
}

/** What a check found. */
export interface CheckResult {
  readonly verdict: 'ok' | 'not ok' | 'skipped'
  /** `ok 3 - name: asked → answer`. */
  readonly line: string
}

/** Runs one check; never throws. */
export async function runCheck<World>(check: Check<World>, world: World, number: number): Promise<CheckResult> {
  const why = await check.whyNot?.(world)
  if (why !== undefined) return { verdict: 'skipped', line: `ok ${number} - ${check.name} # SKIP ${why}` }
  const answer = await check.ask(world).catch((error: unknown) => `error: ${(error as Error).message}`)
  const { expected } = check
  const isOk = typeof expected === 'string' ? answer === expected : expected.test(answer)
  const verdict = isOk ? 'ok' : 'not ok'
  const wanted = isOk ? '' : ` (expected ${expected instanceof RegExp ? String(expected) : JSON.stringify(expected)})`
  return { verdict, line: `${verdict} ${number} - ${check.name}: ${check.asked(world)} → ${oneLine(answer)}${wanted}` }
}

/** What happens to the output before it is compared. */
export interface ProgramCheckOptions {
  readonly isInTour?: boolean
  readonly needsNode?: boolean
  readonly needsIpv6?: boolean
  readonly digest?: (output: string, exitCode: number) => string
  /** The same as `digest` in a shell's words, shown behind the command. */
  readonly pipe?: string
}

/** A check that runs one program and takes its output, trimmed and digested. */
export function programCheck(
  name: string,
  namespace: DemoNamespace,
  command: readonly [string, ...string[]],
  expected: string | RegExp,
  options: ProgramCheckOptions = {},
): Check {
  const { isInTour = false, needsNode = false, needsIpv6 = false, digest, pipe } = options
  return {
    name,
    expected,
    isInTour,
    needsNode,
    whyNot: async () => (needsIpv6 && !hasIpv6 ? 'this kernel has no IPv6' : undefined),
    asked: () => `[${namespace}] ${[...command.map(quoteWord), ...(pipe === undefined ? [] : ['|', pipe])].join(' ')}`,
    ask: async (world) => {
      const { stdout, stderr, exitCode = -1 } = await world.run(namespace, command)
      const output = stdout.trim()
      return digest?.(output, exitCode) ?? (output === '' && exitCode !== 0 ? stderr.trim() : output)
    },
  }
}

/** Asks again until the answer fits or the time is over; the answer comes with the time it took. */
export async function eventually(
  ask: () => Promise<string>,
  fits: (answer: string) => boolean,
  limitMs = 5000,
): Promise<string> {
  const startMs = performance.now()
  for (;;) {
    const answer = await ask()
    const tookMs = Math.round(performance.now() - startMs)
    if (fits(answer)) return `${answer} after ${tookMs} ms`
    if (tookMs > limitMs) return `${answer}, still after ${tookMs} ms`
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Which endpoints answered: the third word of each line, sorted, each once. */
export const answeringEndpoints: Pick<ProgramCheckOptions, 'digest' | 'pipe'> = {
  digest: endpointsOf,
  pipe: "cut -d' ' -f3 | sort -u",
}

/** The digest of `answeringEndpoints`. */
export function endpointsOf(output: string): string {
  const words = output.split('\n').map((line) => line.split(' ')[2] ?? '')
  return [...new Set(words.filter((word) => word !== ''))].sort().join('\n')
}

/** Lines without an order, sorted. */
export const sortedLines: Pick<ProgramCheckOptions, 'digest' | 'pipe'> = {
  digest: (output) => output.split('\n').sort().join('\n'),
  pipe: 'sort',
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' | ')
  return line === '' ? '(nothing)' : line.length > 300 ? `${line.slice(0, 299)}…` : line
}
