// What an API server refuses although every value is of its type. The object is read all the same: what it would do is
// a matter for people. Whoever was in a cluster has passed these checks.

import { type KubeObject, type Problem, refOf, withDefaultNamespace } from '@kubewire/kube-model'
import type { ManifestObject } from '@kubewire/kube-model/manifest'
import { checkObject, type ObjectFault } from '@kubewire/mini-apiserver/check-object'
import { parseFieldPath } from './field-path.ts'

/** A problem for each reason that the API server would have to refuse the object, in its words. */
export function objectFaults({ object, positionOf }: ManifestObject): readonly Problem[] {
  return [...checkObject(object), ...selectorFaults(object)].map(({ field, message }) => ({
    code: 'CLI_REFUSED',
    severity: 'error',
    object: refOf(withDefaultNamespace(object)),
    path: field,
    message: shortened(message),
    fallback: `no API server takes this ${object.kind}`,
    position: positionOf(parseFieldPath(field)),
  }))
}

/** A workload whose pods its own selector does not select (Kubernetes pkg/apis/apps/validation). */
function selectorFaults(object: KubeObject): readonly ObjectFault[] {
  if (!['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].includes(object.kind ?? '')) return []
  const { spec } = object as { readonly spec?: WorkloadSpec }
  const { labels = {} } = spec?.template?.metadata ?? {}
  const wanted = Object.entries(spec?.selector?.matchLabels ?? {})
  if (wanted.every(([key, value]) => labels[key] === value)) return []
  const message = `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``
  return [{ field: 'spec.template.metadata.labels', message }]
}

interface WorkloadSpec {
  readonly selector?: { readonly matchLabels?: { readonly [key: string]: string } }
  readonly template?: KubeObject
}

// The server quotes the whole value, be it a spec of a hundred lines; its end says what is wrong.
function shortened(message: string): string {
  return message.length > 240 ? `${message.slice(0, 80)}…${message.slice(-120)}` : message
}
