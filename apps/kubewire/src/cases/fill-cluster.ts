// The cluster of a scenario: objects of its manifests, with what a cluster would add to them, and its own objects in
// front of those of the same name. Words such as `{{service/shop/tea}}` become addresses of that cluster.

import { type ClusterSnapshot, joinHostPort, type KubeObject, printRef, refOf, snapshotOf } from '@kubewire/kube-model'
import type { CaseFile } from '@kubewire/kube-model/cases'
import { parsePlace } from '../ask/proxy-place.ts'
import { manifestObjects } from '../input/input-snapshot.ts'

/**
 * The data of a scenario over manifests.
 *
 * @throws UsageError when a word names an object that is not there
 */
export function fillCluster(data: CaseFile['data'], manifests: readonly KubeObject[]): CaseFile['data'] {
  const own = (data['cluster'] ?? []) as readonly KubeObject[]
  const replaced = new Set(own.map((object) => printRef(refOf(object))))
  const given = [...manifests.filter((object) => !replaced.has(printRef(refOf(object)))), ...own]
  const cluster = manifests.length === 0 ? own : manifestObjects(given)
  const snapshot = snapshotOf(cluster)
  const { cluster: _, ...rest } = data
  return { ...(fillWords(rest, snapshot) as CaseFile['data']), cluster }
}

const endpointsWord = /^\{\{endpoints\/([^/}]+)\/([^/:}]+)(?::([^}]+))?\}\}$/
const placeWord = /\{\{((?:service|pod|node)\/[^}]+)\}\}/g

function fillWords(value: unknown, snapshot: ClusterSnapshot): unknown {
  if (typeof value === 'string')
    return value.replace(placeWord, (_, place: string) => parsePlace(place, snapshot).ip.text)
  if (Array.isArray(value)) return value.flatMap((item) => fillElement(item, snapshot))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillWords(inner, snapshot)]))
}

// A word for several endpoints stands for as many elements of its list.
function fillElement(item: unknown, snapshot: ClusterSnapshot): readonly unknown[] {
  const [, namespace, name = '', port] = (typeof item === 'string' ? endpointsWord.exec(item) : null) ?? []
  return namespace === undefined ? [fillWords(item, snapshot)] : endpointsOf(snapshot, namespace, name, port)
}

function endpointsOf(snapshot: ClusterSnapshot, namespace: string, service: string, wanted?: string): string[] {
  return [...snapshot.endpointSlices]
    .filter(
      ({ metadata }) =>
        metadata?.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === service,
    )
    .flatMap(({ endpoints = [], ports = [] }) =>
      ports
        .filter((port) => wanted === undefined || port.name === wanted || String(port.port) === wanted)
        .flatMap((port) =>
          endpoints
            .filter(({ conditions }) => conditions?.ready !== false)
            .flatMap(({ addresses = [] }) => addresses.map((address) => joinHostPort(address, port.port ?? 0))),
        ),
    )
}
