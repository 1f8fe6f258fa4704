// Namespaces that objects live in and nobody declares: the DNS server answers only for namespaces that exist.

import type { KubeObject } from '@kubewire/kube-model'

/** The missing Namespaces, by name. */
export function assumeNamespaces(objects: readonly KubeObject[]): readonly KubeObject[] {
  const declared = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata?.name))
  const used = new Set(objects.flatMap(({ metadata }) => metadata?.namespace ?? []))
  return [...used]
    .filter((name) => !declared.has(name))
    .sort()
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
}
