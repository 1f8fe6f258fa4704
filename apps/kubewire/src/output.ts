// Where a command writes: data on standard output, everything else on standard error. Colours only on a terminal and
// without NO_COLOR.

import { type Explanation, type Problem, printExplanation, printProblem } from '@kubewire/kube-model'
import { type ExitCode, exitCode } from './exit-code.ts'

/** The outside of a command; tests pass their own. */
export interface Output {
  /** Data, and only data. */
  data(text: string): void
  /** Progress, problems, hints. */
  note(text: string): void
  readStdin(): Promise<string>
  /** Whether standard error may be coloured. */
  readonly hasColour: boolean
}

/** The output of this process. */
export function processOutput(): Output {
  return {
    data: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
      return Buffer.concat(chunks).toString('utf8')
    },
    hasColour: process.stderr.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
  }
}

/** Notes problems one a line and gives the exit code they mean: unreadable input before findings before fine. */
export function reportProblems(output: Output, problems: readonly Problem[]): ExitCode {
  for (const problem of problems) output.note(`${colourProblem(output, problem)}\n`)
  if (problems.some(({ code }) => code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE')) return exitCode.unreadable
  return problems.some((problem) => problem.severity === 'error') ? exitCode.findings : exitCode.fine
}

function colourProblem(output: Output, problem: Problem): string {
  const line = printProblem(problem)
  if (!output.hasColour) return line
  const colour = problem.severity === 'error' ? 31 : 33
  return line.replace(`${problem.severity}:`, `\u001b[${colour}m${problem.severity}:\u001b[0m`)
}

/** Writes an explanation as text or JSON. */
export function writeExplanation(output: Output, format: string, explanation: Explanation): void {
  output.data(format === 'json' ? `${JSON.stringify(explanation, null, 2)}\n` : printExplanation(explanation))
}
