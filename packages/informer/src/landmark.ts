// Picks the object by which a server's history is recognised after an outage: the one changed last.

import type { KubeObject } from '@kubewire/kube-model'
import { isOlder } from './resource-version.ts'
import type { Landmark } from './watch-state.ts'

/** The object as a landmark; `undefined` when it has no name or version. */
export function landmarkOf({ metadata }: KubeObject): Landmark | undefined {
  const { name, namespace, uid = '', resourceVersion } = metadata ?? {}
  return name && resourceVersion ? { name, namespace, uid, version: resourceVersion } : undefined
}

/** The later changed of a landmark and an object; the cost of every object of a list, hence no copy unless needed. */
export function laterLandmark(landmark: Landmark | undefined, object: KubeObject): Landmark | undefined {
  if (landmark !== undefined && !isOlder(landmark.version, object.metadata?.resourceVersion)) return landmark
  return landmarkOf(object) ?? landmark
}
