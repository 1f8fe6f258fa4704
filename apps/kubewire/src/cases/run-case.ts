// One scenario from its file to its probes: manifests, cluster, area. What goes wrong on the way is a failed probe.

import { dirname, join } from 'node:path'
import { InputError, UsageError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { readFiles } from '../read-input.ts'
import { fillCluster } from './fill-cluster.ts'
import type { CaseResult } from './print-cases.ts'
import type { ReadableCase } from './read-case.ts'

/**
 * Runs a scenario.
 *
 * @throws InputError when one of its manifests cannot be read
 */
export async function runCase({ file, area, manifests }: ReadableCase, output: Output): Promise<CaseResult> {
  const startMs = performance.now()
  const { about } = file.data
  const paths = manifests.map((path) => join(dirname(file.path), path))
  const input = paths.length === 0 ? undefined : await readFiles({ filename: paths, recursive: false }, output)
  const unread = input?.problems.find(({ code }) => code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE')
  if (unread !== undefined) {
    const place = unread.position === undefined ? file.path : `${unread.position.file}:${unread.position.line}`
    throw new InputError(`${place}: ${unread.message}`)
  }
  const done = (probes: CaseResult['probes']): CaseResult => ({
    path: file.path,
    ...(typeof about === 'string' ? { about } : {}),
    probes: probes.length > 0 ? probes : [{ probe: 'file', outcome: 'failed', detail: 'it asks nothing' }],
    durationMs: Math.round(performance.now() - startMs),
  })
  try {
    const data = fillCluster(file.data, input?.objects ?? [])
    return done(await area.run({ ...file, data }))
  } catch (error) {
    if (error instanceof UsageError) throw new InputError(`${file.path}: ${error.message}`)
    return done([{ probe: 'file', outcome: 'failed', detail: error instanceof Error ? error.message : String(error) }])
  }
}
