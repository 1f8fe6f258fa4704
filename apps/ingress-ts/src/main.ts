// Entry of the daemon: flags in, exit status out.

import { setFlagsFromString } from 'node:v8'
import { createLog, parseFlags, printFlags } from '@kubewire/daemon-kit'
import { checkFlags } from './check-flags.ts'
import { flagTable } from './flags.ts'
import { serve } from './serve.ts'
import { originalVersion, version } from './version.ts'

// With thousands of Ingresses half of a start was V8's optimising compiler, for code that runs once. What stays hot is
// still optimised, a little later (its default is 67,584 bytes of bytecode). Three times this budget starts faster still,
// but the first changes then take twice as long.
setFlagsFromString('--interrupt-budget=400000')

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const { values: flags, problems, isHelp } = parseFlags(flagTable, argv, { dialect: 'pflag' })
  if (isHelp) {
    process.stdout.write(`Usage of ingress-ts:\n${printFlags(flagTable, { dialect: 'pflag' })}`)
    return 0
  }
  if (flags.version) {
    process.stdout.write(`ingress-ts ${version}, in place of ingress-nginx ${originalVersion}\n`)
    return 0
  }
  const log = createLog({ format: 'klog', level: flags.v >= 3 ? 'debug' : 'info', name: 'ingress-ts' })
  const errors = [...problems.map((problem) => problem.message), ...checkFlags(flags)]
  if (errors.length > 0) {
    for (const error of errors) log.error(error)
    return 1
  }
  try {
    return await serve(flags, process.env, log)
  } catch (error) {
    // What the world refused (no kubeconfig, no right to a folder) has a code and needs no stack; the rest is ours.
    if (!(error instanceof Error && 'code' in error)) throw error
    log.error('ingress-ts ends', { err: error.message })
    log.flush()
    process.exit(1)
  }
}
