// The running demo as checks and the tour see it: programs inside namespaces, and the API server.

import { type CommandResult, runCommand } from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'
import { inside, split } from './netns.ts'
import type { DemoNamespace, DemoPlan } from './plan.ts'

/** What can be asked of a running demo. */
export interface DemoWorld {
  readonly plan: DemoPlan
  readonly cluster: Cluster
  /** The folder of manifests that the API server follows. */
  readonly manifests: string
  /** The command line that people type for the same. */
  commandLine(namespace: DemoNamespace, command: readonly string[]): string
  /** Runs a program to its end inside a namespace; never throws for an exit status. */
  run(namespace: DemoNamespace, command: readonly [string, ...string[]]): Promise<CommandResult>
  /** Runs `kubewire` itself inside a namespace. */
  runSelf(namespace: DemoNamespace, words: readonly string[]): Promise<CommandResult>
  /** Runs a program outside of all namespaces. */
  runHere(command: readonly [string, ...string[]]): Promise<CommandResult>
}

/** The world of a demo that is up. */
export function demoWorld(plan: DemoPlan, cluster: Cluster, manifests: string): DemoWorld {
  const runHere = ([program, ...args]: readonly [string, ...string[]]): Promise<CommandResult> =>
    runCommand(program, args, { timeoutMs: 20_000 })
  const run = (namespace: DemoNamespace, command: readonly [string, ...string[]]): Promise<CommandResult> =>
    runCommand(...split(inside(plan.namespaces[namespace], ...command)), { timeoutMs: 20_000 })
  return {
    plan,
    cluster,
    manifests,
    run,
    runHere,
    runSelf: (namespace, words) => run(namespace, [process.execPath, process.argv[1] ?? '', ...words]),
    commandLine: (namespace, command) =>
      inside(plan.namespaces[namespace], ...command)
        .map(quoteWord)
        .join(' '),
  }
}

/** A word as a shell reads it back. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
