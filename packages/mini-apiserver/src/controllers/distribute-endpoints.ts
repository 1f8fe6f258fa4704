// Endpoints over slices so that a change touches as few of them as it can: who is in a slice stays there, who is new goes
// where something changes anyway. Source: k8s.io/endpointslice 0.37 (reconciler.go, reconcileByPortMapping).

import { type JsonObject, objectAt, objectsAt, textAt, textsAt } from '../json.ts'

/** Most endpoints of one slice, the original's default. */
const maxEndpoints: number = 100

/** What belongs in each slice that exists, in their order (nothing: it can go), and in further ones. */
export interface Distribution {
  readonly kept: readonly (readonly JsonObject[])[]
  readonly added: readonly (readonly JsonObject[])[]
}

/** Distributes endpoints of one address family and one set of ports over the slices that exist for them. */
export function distributeEndpoints(slices: readonly JsonObject[], endpoints: readonly JsonObject[]): Distribution {
  const waiting = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]))
  const shares = slices.map((slice) => {
    const held = objectsAt(slice, 'endpoints')
    const endpoints: JsonObject[] = []
    for (const identity of held.map(identityOf)) {
      const endpoint = waiting.get(identity)
      if (endpoint && waiting.delete(identity)) endpoints.push(endpoint)
    }
    return { endpoints, isChanged: endpoints.length < held.length }
  })
  const left = [...waiting.values()]
  for (const { endpoints, isChanged } of shares) {
    if (isChanged && endpoints.length > 0) endpoints.push(...left.splice(0, maxEndpoints - endpoints.length))
  }
  // The fullest slice that takes all of the rest; a new one where none does.
  const rest = left.splice(left.length - (left.length % maxEndpoints))
  const roomy = shares
    .filter((share) => share.endpoints.length + rest.length <= maxEndpoints)
    .sort((a, b) => b.endpoints.length - a.endpoints.length)
  if (rest.length > 0) (roomy[0]?.endpoints ?? left).push(...rest)
  const added: JsonObject[][] = []
  for (let from = 0; from < left.length; from += maxEndpoints) added.push(left.slice(from, from + maxEndpoints))
  return { kept: shares.map((share) => share.endpoints), added }
}

function identityOf(endpoint: JsonObject): string {
  return `${textAt(objectAt(endpoint, 'targetRef'), 'uid')} ${textsAt(endpoint, 'addresses').join(' ')}`
}
