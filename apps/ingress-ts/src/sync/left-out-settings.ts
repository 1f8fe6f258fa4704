// Keys of the main ConfigMap that are left out because nginx refuses what they lead to; their defaults hold.

import { type ClusterSnapshot, type ConfigMap, type ObjectKey, objectKey } from '@kubewire/kube-model'

/** The main ConfigMap of a snapshot, `undefined` without one. */
export function mainConfigMap(snapshot: ClusterSnapshot, reference: ObjectKey | undefined): ConfigMap | undefined {
  const [namespace = '', name = ''] = (reference ?? '').split('/')
  return name === '' ? undefined : snapshot.configMaps.get(name, namespace)
}

/** The snapshot without the settings that are left out, as long as they have the values for which they are. */
export function withoutLeftOut(
  snapshot: ClusterSnapshot,
  reference: ObjectKey | undefined,
  leftOut: ReadonlyMap<string, string>,
): ClusterSnapshot {
  return withoutSettings(snapshot, reference, (key, value) => leftOut.get(key) === value)
}

/** The snapshot with some keys of the main ConfigMap missing; the same one when none of them is there. */
export function withoutSettings(
  snapshot: ClusterSnapshot,
  reference: ObjectKey | undefined,
  isLeftOut: (key: string, value: string) => boolean,
): ClusterSnapshot {
  const found = mainConfigMap(snapshot, reference)
  const entries = Object.entries(found?.data ?? {})
  const kept = entries.filter(([key, value]) => !isLeftOut(key, value))
  if (found === undefined || kept.length === entries.length) return snapshot
  const changed: ConfigMap = { ...found, data: Object.fromEntries(kept) }
  const { configMaps } = snapshot
  return {
    ...snapshot,
    configMaps: {
      size: configMaps.size,
      get: (name, namespace) => (objectKey(namespace, name) === reference ? changed : configMaps.get(name, namespace)),
      *[Symbol.iterator]() {
        for (const one of configMaps) yield one === found ? changed : one
      },
    },
  }
}
