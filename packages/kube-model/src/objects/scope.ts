// Which of the kinds we read live in no namespace, and where the others live when a manifest does not say.

import type { KubeObject } from './meta.ts'

/** Kinds without a namespace among those that manifests of a cluster usually hold. */
export const clusterScopedKinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'IPAddress',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'ServiceCIDR',
  'StorageClass',
  'ValidatingWebhookConfiguration',
])

/** The object itself, or a copy in `default` when its kind needs a namespace and it names none (as kubectl does). */
export function withDefaultNamespace<T extends KubeObject>(object: T): T {
  const isPlaced = object.metadata?.namespace !== undefined || clusterScopedKinds.has(object.kind ?? '')
  return isPlaced ? object : { ...object, metadata: { ...object.metadata, namespace: 'default' } }
}
