// The three `diff` commands: two inputs, their effects, the differences. With `--live` the first is a running cluster and
// the second what it would be with the files applied.

import { type ClusterSnapshot, snapshotOf } from '@kubewire/kube-model'
import { assumeObjects } from '../assume/assume-objects.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { withApiDefaults } from '../input/api-defaults.ts'
import { type ClusterValues, namesCluster } from '../input/cluster-flags.ts'
import type { Input } from '../input/input.ts'
import { selectInputs } from '../input/select-input.ts'
import { type Output, reportProblems } from '../output.ts'
import { readFiles } from '../read-input.ts'
import { diffEffects, type Effect, printChanges } from './effect.ts'
import { overlayObjects } from './overlay-objects.ts'

/** The flags of every diff command, beside those of a cluster. */
export const diffFlags = {
  recursive: { kind: 'bool', default: false, help: 'also read the subfolders of a folder', shorthand: 'R' },
  live: { kind: 'bool', default: false, help: 'compare with the running cluster; only NEW is named' },
  output: { kind: 'string', default: 'text', help: 'text, markdown or json', shorthand: 'o' },
} as const

interface DiffValues extends ClusterValues {
  readonly recursive: boolean
  readonly live: boolean
  readonly output: string
}

/**
 * Reads OLD and NEW, asks both, prints what differs; exit 1 when something does, 3 when something could not be read.
 *
 * @param check - looks at both before anything is asked
 */
export async function runDiff(
  args: readonly string[],
  values: DiffValues,
  output: Output,
  effectsOf: (input: Pick<Input, 'snapshot'>) => readonly Effect[] | Promise<readonly Effect[]>,
  check: (snapshots: readonly ClusterSnapshot[]) => void = () => {},
): Promise<ExitCode> {
  const format = values.output
  if (values.live ? args.length !== 1 : args.length !== 2) {
    throw new UsageError(values.live ? 'expected NEW alone: OLD is the cluster' : 'expected OLD and NEW')
  }
  if (namesCluster(values) && !values.live) throw new UsageError('expected --live with a cluster')
  if (format !== 'text' && format !== 'markdown' && format !== 'json') {
    throw new UsageError('expected -o text, markdown or json')
  }
  const files: Input[] = []
  for (const path of args) files.push(await readFiles({ filename: [path], recursive: values.recursive }, output))
  const isUnreadable = files.map((input) => noteUnreadable(input, output)).includes(true)
  const inputs = values.live ? await liveInputs(files, values, output) : files
  const [before, after] = selectInputs(inputs, values)
  if (before === undefined || after === undefined) throw new Error('two inputs are compared')
  check([before.snapshot, after.snapshot])
  output.progress?.('asking the first input')
  const effects = await effectsOf(before)
  output.progress?.('asking the second input')
  const changes = diffEffects(effects, await effectsOf(after))
  output.data(printChanges(changes, format))
  if (isUnreadable) return exitCode.unreadable
  return changes.length > 0 ? exitCode.findings : exitCode.fine
}

/** What is assumed is assumed on both sides; only what could not be read is worth a word here. */
function noteUnreadable({ problems }: Input, output: Output): boolean {
  const unread = problems.filter(({ code }) => code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE')
  return reportProblems(output, unread) === exitCode.unreadable
}

/** The cluster, and the cluster with the files applied. */
async function liveInputs(files: readonly Input[], values: ClusterValues, output: Output): Promise<readonly Input[]> {
  const { readCluster } = await import('../input/read-cluster.ts')
  const live = await readCluster(values, output)
  const applied = overlayObjects(
    live,
    files.flatMap(({ objects }) => objects),
  )
  return [live, applied].map((objects) => ({
    objects,
    snapshot: snapshotOf(assumeObjects(objects.map(withApiDefaults)).objects),
    problems: [],
    positions: new Map(),
  }))
}
