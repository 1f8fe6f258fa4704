// `kubewire up`: the demo cluster on any manifests; `--once` runs its checks and ends.

import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, defineCommand } from '../command.ts'
import { type ExitCode, exitCode, InputError, UsageError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { checksFor } from '../up/checks/registry.ts'
import { startDemo } from '../up/demo.ts'
import { DemoError } from '../up/netns.ts'
import { planDemo } from '../up/plan.ts'
import { runChecks } from '../up/run-checks.ts'
import { printTour } from '../up/tour.ts'
import { untilSignal } from '../up/until-signal.ts'
import { whyNoDemo } from '../up/why-no-demo.ts'

const flags = {
  filename: { kind: 'array', default: [], help: 'folder with the manifests; edits show while it runs', shorthand: 'f' },
  once: { kind: 'bool', default: false, help: 'run the checks and end: exit 0 when all are ok' },
  name: { kind: 'string', default: '', help: 'prefix of the network namespaces; default kubewire' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FOLDER [--once]',
  flags,
  run: async ({ values, output }) => {
    const [folder] = values.filename
    if (folder === undefined || values.filename.length > 1) throw new UsageError('expected one -f FOLDER')
    const info = await stat(folder).catch(() => undefined)
    if (!info?.isDirectory()) throw new InputError(`expected a folder at ${folder}`)
    const reasons = whyNoDemo()
    if (reasons.length > 0) {
      const { runWithoutRoot } = await import('../up/without-root.ts')
      return orProblem(output, () => runWithoutRoot(resolve(folder), reasons, output, values.once))
    }
    const name = values.name === '' ? (values.once ? `kw${process.pid}` : 'kubewire') : values.name
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) throw new UsageError('expected --name of letters, digits and dashes')
    return orProblem(output, () =>
      values.once ? runOnce(name, folder, output) : runUntilSignal(name, resolve(folder), output),
    )
  },
})

async function orProblem(output: Output, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DemoError)) throw error
    output.note(`kubewire up: ${error.message}\n`)
    return exitCode.findings
  }
}

// The checks edit files: they get a copy.
async function runOnce(name: string, folder: string, output: Output): Promise<ExitCode> {
  const copy = await mkdtemp(join(tmpdir(), 'kubewire-'))
  const end = untilSignal()
  try {
    await cp(folder, copy, { recursive: true })
    const demo = await startDemo(planDemo(name), copy, (text) => output.note(`${text}\n`), end.signal)
    const stopped = Promise.race([demo.crashed, end.signalled])
    try {
      return await runChecks(await checksFor(demo.world), demo.world, output, stopped)
    } finally {
      await demo.close()
    }
  } finally {
    end.forget()
    await rm(copy, { recursive: true, force: true })
  }
}

async function runUntilSignal(name: string, folder: string, output: Output): Promise<ExitCode> {
  const end = untilSignal()
  const demo = await startDemo(planDemo(name), folder, (text) => output.note(`${text}\n`), end.signal)
  try {
    await printTour(demo, output)
    const reason = await Promise.race([demo.crashed, end.signalled])
    output.note(`\n${reason}; removing what the demo made\n`)
    return reason === 'SIGINT' || reason === 'SIGTERM' ? exitCode.fine : exitCode.findings
  } finally {
    await demo.close()
    end.forget()
  }
}
