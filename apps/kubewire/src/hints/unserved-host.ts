// A host that an Ingress names and nobody serves: why that Ingress does not count. Pure.

import {
  type ClusterSnapshot,
  type Explanation,
  type Ingress,
  type ObjectRef,
  printRef,
  refOf,
  sortedObjects,
} from '@kubewire/kube-model'
import type { Translation } from '@kubewire/nginx-gen'

/** One step for each Ingress that names the host and is left out, where none that counts does. */
export function unservedHost(
  snapshot: ClusterSnapshot,
  { value: model, accepted, problems }: Pick<Translation, 'value' | 'accepted' | 'problems'>,
  requestHost: string,
): readonly Explanation[] {
  const host = requestHost.replace(/:[0-9]+$/, '').toLowerCase()
  const isServed = model.servers.some((server) => server.host === host || server.aliases.includes(host))
  if (isServed) return []
  const counted = new Set(accepted.map(printRef))
  return sortedObjects(snapshot.ingresses)
    .filter((ingress) => namesHost(ingress, host) && !counted.has(printRef(refOf(ingress, 'Ingress'))))
    .map((ingress) => reasonOf(refOf(ingress, 'Ingress'), problems))
}

function namesHost({ spec }: Ingress, host: string): boolean {
  return (spec?.rules ?? []).some((rule) => rule.host === host)
}

function reasonOf(object: ObjectRef, problems: Translation['problems']): Explanation {
  const own = problems.filter((problem) => printRef(problem.object) === printRef(object))
  const { path, message, fallback } = own.find(({ severity }) => severity === 'error') ?? own[0] ?? {}
  const because = message === undefined ? '' : `: ${path === '' ? '' : `${path}: `}${message}; ${fallback}`
  return { where: 'why', what: `${printRef(object)} names this host but does not count${because}`, origin: [object] }
}
