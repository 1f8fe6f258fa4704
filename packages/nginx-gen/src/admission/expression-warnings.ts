// What surprises people about hosts that match by expressions: one Ingress makes them of all paths of a host, and then
// Exact is no longer exact. Kept for compatibility, told at admission. Source: reference, quirks.

import { type Ingress, keyOf, objectKey } from '@kubewire/kube-model'
import { featureOf } from '../annotations/define.ts'
import { forcesRegex, rewrite } from '../annotations/rewrite.ts'
import type { Location } from '../model/location.ts'
import type { Model } from '../model/model.ts'
import type { Server } from '../model/server.ts'

/** Sentences about the paths of one Ingress, each once. */
export function expressionWarnings(model: Model, ingress: Ingress): readonly string[] {
  const key = keyOf(ingress)
  const warnings = model.servers.flatMap((server) => (server.usesRegex ? warningsOf(server, key) : []))
  return [...new Set(warnings)]
}

function warningsOf({ host, locations }: Server, key: string): readonly string[] {
  const rules = locations.filter(({ isDefaultBackend }) => !isDefaultBackend)
  const own = rules.filter((location) => ownerOf(location) === key)
  const others = new Set(rules.map(ownerOf).filter((owner) => owner !== key))
  const changesOthers = others.size > 0 && own.some(isExpression)
  return [
    ...(changesOthers
      ? [
          `host ${host}: rewrite-target or use-regex makes expressions of all its paths, also those of ${[...others].join(', ')}`,
        ]
      : []),
    ...own.filter((location) => !isExpression(location)).map((location) => plainPathWarning(host, location)),
  ]
}

function plainPathWarning(host: string, { route: { pathType, rulePath } }: Location): string {
  return `host ${host}: its paths are expressions, so ${pathType} ${rulePath} matches whatever begins with it, in any case of letters`
}

function isExpression({ features, route }: Location): boolean {
  return forcesRegex(featureOf(features, rewrite), route.rulePath)
}

function ownerOf({ route: { ingress } }: Location): string {
  return objectKey(ingress?.namespace, ingress?.name ?? '')
}
