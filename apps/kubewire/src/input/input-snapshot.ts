// Objects as they were read → what the generators see: defaults that an API server would fill in, and what manifests
// of a repository leave to the cluster. Pure: the commands and the browser page see the same.

import {
  type ClusterSnapshot,
  type KubeObject,
  type Problem,
  snapshotOf,
  withDefaultNamespace,
} from '@kubewire/kube-model'
import { assumeObjects } from '../assume/assume-objects.ts'
import { withApiDefaults } from './api-defaults.ts'

/** The snapshot of manifests, with a warning for each assumption that changes what is shown. */
export function manifestSnapshot(objects: readonly KubeObject[]): {
  readonly snapshot: ClusterSnapshot
  readonly problems: readonly Problem[]
} {
  const assumed = completed(objects)
  return { snapshot: snapshotOf(assumed.objects), problems: assumed.problems }
}

/** The objects of manifests with defaults and assumptions. */
export function manifestObjects(objects: readonly KubeObject[]): readonly KubeObject[] {
  return completed(objects).objects
}

function completed(objects: readonly KubeObject[]): ReturnType<typeof assumeObjects> {
  return assumeObjects(objects.map((object) => withApiDefaults(withDefaultNamespace(object))))
}
