// Finds a command by its words, reads its flags, runs it. What it throws becomes a message and an exit code.

import { parseFlags, printFlags } from '@kubewire/daemon-kit'
import { quoteFound } from '@kubewire/kube-model'
import type { Command } from './command.ts'
import { type CommandEntry, commands } from './commands/registry.ts'
import { ClusterError, type ExitCode, exitCode, InputError, UsageError } from './exit-code.ts'
import { isOneEditAway } from './hints/one-edit-away.ts'
import type { Output } from './output.ts'
import { version } from './version.ts'

const pflag = { dialect: 'pflag' } as const

/** Runs one command line (without program name). */
export async function runCli(argv: readonly string[], output: Output): Promise<ExitCode> {
  const [first = '', second = ''] = argv
  if (first === '--version' || first === 'version') {
    output.data(`kubewire ${version}\n`)
    return exitCode.fine
  }
  if (first === 'help' && second !== '') return runCli([...argv.slice(1), '--help'], output)
  if (argv.length === 0 || first === '--help' || first === '-h' || first === 'help') {
    output.data(printOverview(commands))
    return exitCode.fine
  }
  if (first === 'completion') return runCompletion(second, output)
  const entry = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (entry === undefined) return refuse(argv, output)
  const { command } = await entry.load()
  return runCommandLine(entry, command, argv.slice(entry.name.split(' ').length), output)
}

async function runCompletion(shell: string, output: Output): Promise<ExitCode> {
  const { printCompletion } = await import('./completion.ts')
  try {
    output.data(await printCompletion(shell, commands))
    return exitCode.fine
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.note(`kubewire completion: ${error.message}\n`)
    return exitCode.usage
  }
}

async function runCommandLine(
  entry: CommandEntry,
  command: Command,
  argv: readonly string[],
  output: Output,
): Promise<ExitCode> {
  const parsed = parseFlags(command.flags, argv, pflag)
  if (parsed.isHelp) {
    output.data(printCommandHelp(entry, command))
    return exitCode.fine
  }
  try {
    const [problem] = parsed.problems
    if (problem !== undefined) throw new UsageError(problem.message)
    const [word] = parsed.args
    if (word !== undefined && command.takesWords !== true) {
      // `-f *.yaml` after the shell: only the first file would belong to the flag.
      throw new UsageError(`expected flags only, found ${quoteFound(word)}; each file takes its own -f`)
    }
    const isVerbose = parsed.given.has('verbose')
    return await command.run({
      values: parsed.values as never,
      given: parsed.given,
      args: parsed.args,
      output: isVerbose ? { ...output, isVerbose } : output,
    })
  } catch (error) {
    if (error instanceof UsageError) {
      output.note(`kubewire ${entry.name}: ${error.message}\nSee 'kubewire ${entry.name} --help'.\n`)
      return exitCode.usage
    }
    if (error instanceof InputError) {
      output.note(`kubewire ${entry.name}: ${error.message}\n`)
      return exitCode.unreadable
    }
    if (error instanceof ClusterError) {
      output.note(`kubewire ${entry.name}: ${error.message}\n`)
      return exitCode.unreachable
    }
    throw error
  }
}

function refuse(argv: readonly string[], output: Output): ExitCode {
  const [first = ''] = argv
  const inArea = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (inArea.length === 0) {
    output.note(`kubewire: unknown command ${quoteFound(first)}${meantCommands(first)}\nSee 'kubewire --help'.\n`)
    return exitCode.usage
  }
  const isHelp = argv.includes('--help') || argv.includes('-h')
  if (isHelp) output.data(printOverview(inArea))
  else {
    const found = argv[1] === undefined ? '' : `, found ${quoteFound(argv[1])}`
    output.note(`kubewire ${first}: expected ${inArea.map(({ name }) => name.split(' ')[1]).join(' or ')}${found}\n`)
  }
  return isHelp ? exitCode.fine : exitCode.usage
}

// The verb without its area, or a slip of the fingers.
function meantCommands(word: string): string {
  const meant = commands
    .map(({ name }) => name)
    .filter((name) => name.split(' ').some((part) => part === word || isOneEditAway(part, word)))
  return meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
}

function printOverview(entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 3
  return [
    'Kubernetes service networking from manifests: what DNS answers, where packets go, who serves a request.',
    '',
    'Usage: kubewire COMMAND -f FILE|FOLDER|- [flags]     or --context NAME for a running cluster',
    '',
    ...entries.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Examples (examples/shop is in the repository; your own manifests do, or what `kubewire test --init` writes):',
    ...entries.map(({ example }) => `  ${example}`),
    '',
    'Exit codes: 0 fine, 1 findings, 2 usage, 3 unreadable input, 4 cluster unreachable.',
    "'kubewire COMMAND --help' tells more; 'source <(kubewire completion bash)' completes words, zsh too.",
    '',
  ].join('\n')
}

function printCommandHelp(entry: CommandEntry, command: Command): string {
  return [
    `${entry.summary.charAt(0).toUpperCase()}${entry.summary.slice(1)}.`,
    '',
    `Usage: kubewire ${entry.name} ${command.usage}`.trimEnd(),
    '',
    'Example:',
    `  ${entry.example}`,
    '',
    'Flags:',
    printFlags(command.flags, pflag),
  ].join('\n')
}
