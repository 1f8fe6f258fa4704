// The input as the page gets it: without secrets, and as it was read; what manifests leave to the cluster is assumed
// in the page, where it is shown.

import { snapshotOf } from '@kubewire/kube-model'
import { UsageError } from '../../exit-code.ts'
import type { Input } from '../../input/input.ts'
import { isReadKind } from '../../input/object-shape.ts'
import { selectInput } from '../../input/select-input.ts'
import type { Output } from '../../output.ts'
import { type InputValues, readFiles } from '../../read-input.ts'
import type { ClusterDocument, DocumentFlags } from '../cluster-document.ts'
import { redactObject } from './redact-object.ts'

/**
 * Reads the files, or the cluster when there are none.
 *
 * @throws what `readFiles` and `readCluster` throw, and UsageError when both files and a cluster are named
 */
export async function readDocument(
  values: InputValues,
  flags: DocumentFlags,
  output: Output,
): Promise<Omit<ClusterDocument, 'generation'>> {
  const { filename, context } = values
  const isCluster = filename.length === 0
  if (!isCluster && (context !== '' || values.kubeconfig !== '')) {
    throw new UsageError('expected files or a cluster, found both')
  }
  const read = isCluster ? await readObjects(values, output) : await readFiles(values, output)
  const { objects, problems, positions } = selectInput(read, values)
  const shown = objects.map(redactObject)
  return {
    source: isCluster ? (context === '' ? 'the current cluster' : `context ${context}`) : filename.join(', '),
    isCluster,
    objects: shown.filter(isReadKind),
    others: shown.filter((object) => !isReadKind(object)),
    problems,
    positions: [...positions],
    today: new Date().toISOString().slice(0, 10),
    flags,
  }
}

async function readObjects(values: InputValues, output: Output): Promise<Input> {
  // Loaded only then: files need no network.
  const { readCluster } = await import('../../input/read-cluster.ts')
  const objects = await readCluster(values, output)
  return { objects, snapshot: snapshotOf(objects), problems: [], positions: new Map() }
}
