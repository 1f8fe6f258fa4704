// Where a command writes: data on standard output, everything else on standard error. Colours only on a terminal and
// without NO_COLOR.

import { type Explanation, type Problem, printExplanation, printProblem, printRef } from '@kubewire/kube-model'
import { type ExitCode, exitCode } from './exit-code.ts'
import { createProgressLine } from './print/progress.ts'
import { shortenExplanation } from './print/shorten-explanation.ts'
import { printTextOrJson } from './print/text-or-json.ts'

/** The outside of a command; tests pass their own. */
export interface Output {
  /** Data, and only data. */
  data(text: string): void
  /** Progress, problems, hints. */
  note(text: string): void
  /** Says what takes its time; seen on a terminal only, and only while it lasts. */
  progress?(text: string): void
  readStdin(): Promise<string>
  /** Whether standard error may be coloured. */
  readonly hasColour: boolean
  /** `-v`: every assumption is told. */
  readonly isVerbose?: boolean
}

/** The output of this process. */
export function processOutput(): Output {
  const line = createProgressLine({
    isTerminal: process.stderr.isTTY === true,
    write: (text) => void process.stderr.write(text),
    nowMs: () => performance.now(),
  })
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    line.clear()
    stream.write(text)
  }
  return {
    data: (text) => write(process.stdout, text),
    note: (text) => write(process.stderr, text),
    progress: (text) => line.show(text),
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
      return Buffer.concat(chunks).toString('utf8')
    },
    hasColour: process.stderr.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
  }
}

/**
 * Notes problems one a line and gives the exit code they mean: unreadable input before findings before fine. What was
 * assumed about objects is summed up in one line, unless it is little or `-v` is given.
 *
 * @param about - objects that the answer is about (`printRef`): assumptions about them are always told
 */
export function reportProblems(
  output: Output,
  problems: readonly Problem[],
  about: ReadonlySet<string> = new Set(),
): ExitCode {
  const { told, summed } = sortAssumptions(problems, about, output.isVerbose === true)
  for (const problem of told) output.note(`${colourProblem(output, problem)}\n`)
  if (summed.length > 0) output.note(`${sumUp(summed)}\n`)
  if (problems.some(isLeftOut)) return exitCode.unreadable
  return problems.some((problem) => problem.severity === 'error') ? exitCode.findings : exitCode.fine
}

/** The same where something is only shown: problems are told, and are no findings of the command. */
export function reportShown(output: Output, problems: readonly Problem[]): ExitCode {
  const code = reportProblems(output, problems)
  return code === exitCode.findings ? exitCode.fine : code
}

/** What each assumption stands in for, as the sum names it. */
const assumptions: { readonly [code: string]: string } = {
  CLI_ASSUMED_ADDRESS: 'addresses',
  CLI_ASSUMED_ENDPOINTS: 'endpoints',
}
// So few are told one by one.
const fewAssumptions = 2

function sortAssumptions(
  problems: readonly Problem[],
  about: ReadonlySet<string>,
  isVerbose: boolean,
): { readonly told: readonly Problem[]; readonly summed: readonly Problem[] } {
  const isSummed = ({ code, object }: Problem): boolean => code in assumptions && !about.has(printRef(object))
  const summed = problems.filter(isSummed)
  if (isVerbose || summed.length <= fewAssumptions) return { told: problems, summed: [] }
  return { told: problems.filter((problem) => !isSummed(problem)), summed }
}

function sumUp(summed: readonly Problem[]): string {
  const parts = Object.entries(assumptions).flatMap(([code, what]) => {
    const count = summed.filter((problem) => problem.code === code).length
    return count === 0 ? [] : [`${what} of ${count} ${count === 1 ? 'Service' : 'Services'}`]
  })
  return `assumed, as a cluster would give them: ${parts.join(', ')} (-v lists them)`
}

/**
 * Writes an explanation and notes the problems. The question was answered whatever else is wrong with the objects:
 * problems are no findings here.
 */
export function reportExplained(
  output: Output,
  format: string,
  explanation: Explanation,
  problems: readonly Problem[],
): ExitCode {
  output.data(
    printTextOrJson(
      format,
      () => printExplanation(output.isVerbose === true ? explanation : shortenExplanation(explanation)),
      () => explanation,
    ),
  )
  const about = new Set(originsOf(explanation))
  const others = problems.filter(
    (one) => !about.has(printRef(one.object)) && !(one.code in assumptions) && !concernsAll(one),
  )
  const isShort = others.length > 0 && output.isVerbose !== true
  const code = reportProblems(output, isShort ? problems.filter((one) => !others.includes(one)) : problems, about)
  const count =
    others.length === 1 ? '1 problem of another object is' : `${others.length} problems of other objects are`
  if (isShort) output.note(`${count} left out (-v lists ${others.length === 1 ? 'it' : 'them'})\n`)
  return code === exitCode.findings ? exitCode.fine : code
}

/** A whole file, the controller's settings, or what was left out of the input may be what the answer lacks. */
function concernsAll(problem: Problem): boolean {
  return isLeftOut(problem) || ['ConfigMap', 'File'].includes(problem.object.kind)
}

function isLeftOut({ code }: Problem): boolean {
  return code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE'
}

function originsOf({ origin = [], steps = [] }: Explanation): readonly string[] {
  return [...origin.map(printRef), ...steps.flatMap(originsOf)]
}

function colourProblem(output: Output, problem: Problem): string {
  const line = printProblem(problem)
  if (!output.hasColour) return line
  const colour = problem.severity === 'error' ? 31 : 33
  return line.replace(`${problem.severity}:`, `\u001b[${colour}m${problem.severity}:\u001b[0m`)
}
