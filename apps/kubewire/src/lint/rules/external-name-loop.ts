// ExternalName Services that lead to each other, or to an address: a CNAME to neither ever resolves.

import { type ClusterSnapshot, objectKey, parseIp, type Service, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const externalNameLoop: LintRule = {
  id: 'external-name-loop',
  severity: 'error',
  summary: 'an ExternalName leads back to itself, or to an address',
  docs: 'An ExternalName is a CNAME. One that leads back to itself, or whose target is an address in letters, never ends in a record; clients see a timeout or SERVFAIL.',
  example: `apiVersion: v1
kind: Service
metadata: {name: a, namespace: shop}
spec: {type: ExternalName, externalName: b.shop.svc.cluster.local}
---
apiVersion: v1
kind: Service
metadata: {name: b, namespace: shop}
spec: {type: ExternalName, externalName: a.shop.svc.cluster.local}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services).flatMap((service): LintFinding[] => {
      const target = service.spec?.externalName
      if (service.spec?.type !== 'ExternalName' || target === undefined) return []
      if (parseIp(target) !== undefined) {
        return [finding(service, 'spec.externalName', `"${target}" is an address: as a name it does not resolve`)]
      }
      const way = wayFrom(snapshot, service)
      return way === undefined
        ? []
        : [finding(service, 'spec.externalName', `it leads in a circle: ${way.join(' → ')}`)]
    }),
}

/** The Services on the way when it comes back to its start. */
function wayFrom(snapshot: ClusterSnapshot, start: Service): readonly string[] | undefined {
  const first = keyOf(start)
  const way = [first]
  for (let next = followed(snapshot, start); next !== undefined; next = followed(snapshot, next)) {
    way.push(keyOf(next))
    if (keyOf(next) === first) return way
    if (way.length > 20 || way.indexOf(keyOf(next)) < way.length - 1) return undefined
  }
  return undefined
}

function followed(snapshot: ClusterSnapshot, { spec }: Service): Service | undefined {
  if (spec?.type !== 'ExternalName') return undefined
  const [, name = '', namespace = ''] =
    /^([^.]+)\.([^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(spec.externalName ?? '') ?? []
  return snapshot.services.get(name, namespace)
}

function keyOf({ metadata }: Service): string {
  return objectKey(metadata?.namespace, metadata?.name ?? '')
}
