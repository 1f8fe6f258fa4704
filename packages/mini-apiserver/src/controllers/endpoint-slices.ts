// Keeps EndpointSlices in step with Services and Pods, as kube-controller-manager would. Slices of others are left alone,
// and a Service that never had a pod gets none: manifests with hand-written slices stay as they are.

import { deepEqual, zoneLabel } from '@kubewire/kube-model'
import { type ApiObject, keyOfObject } from '../api-object.ts'
import { type JsonObject, objectAt } from '../json.ts'
import type { ServerState } from '../server-state.ts'
import type { Collection } from '../storage/collection.ts'
import { createObject } from '../verbs/create.ts'
import { updateObject } from '../verbs/update.ts'
import { createLabelIndex, type LabelIndex } from './label-index.ts'
import {
  controllerName,
  isSelecting,
  managedBy,
  planSlices,
  serviceNameLabel,
  sliceLabels,
  type WantedSlice,
} from './plan-slices.ts'
import { createSelectorIndex, type SelectorIndex, serviceSelector } from './selector-index.ts'

/** After so many endpoints the rest waits for another turn: requests are served in between. */
const endpointsPerTurn: number = 200

/** Runs until the returned function is called. */
export function runEndpointSliceController(state: ServerState): () => void {
  const { storage, clock } = state
  const [services, pods, slices] = [storage.collection('services'), storage.collection('pods'), slicesOf(state)]
  const indexes: Indexes = { selectors: createSelectorIndex(), pods: createLabelIndex(), slices: createLabelIndex() }
  const dirty = new Set<string>()
  let cancel: (() => void) | undefined
  const schedule = (): void => {
    if (dirty.size === 0) return
    cancel ??= clock.after(0, () => {
      cancel = undefined
      let endpoints = 0
      for (const key of dirty) {
        dirty.delete(key)
        endpoints += reconcile(state, indexes, key)
        if (endpoints >= endpointsPerTurn) break
      }
      schedule()
    })
  }
  const mark = (keys: Iterable<string>): void => {
    for (const key of keys) dirty.add(key)
    schedule()
  }
  const begin = (): void => {
    for (const index of Object.values(indexes)) index.clear()
    for (const pod of pods.list()) indexes.pods.replace(undefined, pod)
    for (const slice of slices.list()) indexes.slices.replace(undefined, slice)
    for (const service of services.list()) indexes.selectors.replace(undefined, service)
    mark(services.list().map(keyOfObject))
  }
  begin()
  const stops = [
    services.subscribe(({ key, before, after }) => {
      indexes.selectors.replace(before, after)
      mark([key])
    }),
    pods.subscribe(({ before, after }) => {
      indexes.pods.replace(before, after)
      for (const pod of [before, after]) if (pod) mark(indexes.selectors.selecting(pod))
    }),
    slices.subscribe(({ before, after }) => indexes.slices.replace(before, after)),
    storage.onRollBack(begin),
  ]
  return () => {
    cancel?.()
    for (const stop of stops) stop()
  }
}

/** What the controller remembers of the objects it needs. */
interface Indexes {
  readonly selectors: SelectorIndex
  readonly pods: LabelIndex
  readonly slices: LabelIndex
}

function slicesOf({ storage }: ServerState): Collection {
  return storage.collection('endpointslices.discovery.k8s.io')
}

/** Brings one Service's slices up to date; how many pods that took. */
function reconcile(state: ServerState, { pods, slices }: Indexes, key: string): number {
  const { storage } = state
  const [namespace = '', name = ''] = key.split('/')
  const service = storage.collection('services').get(key)
  const existing = slices.matching(namespace, { [serviceNameLabel]: name, [managedBy]: controllerName })
  const remove = (removed: readonly ApiObject[]): void => {
    for (const slice of removed) storage.remove('endpointslices.discovery.k8s.io', keyOfObject(slice))
  }
  if (!service || !isSelecting(service)) {
    remove(existing)
    return 0
  }
  const selected = pods.matching(namespace, serviceSelector(service))
  if (selected.length === 0 && existing.length === 0) return 0
  const zoneOf = (node: string) => storage.collection('nodes').get(node)?.metadata.labels?.[zoneLabel]
  const { wanted, removed } = planSlices(service, selected, existing, zoneOf)
  for (const slice of wanted) writeSlice(state, service, slice)
  remove(removed)
  return selected.length
}

// Comparing is cheaper by far than an update that turns out to change nothing.
function isWritten(service: ApiObject, { ports, endpoints, old }: WantedSlice): boolean {
  return (
    old !== undefined &&
    deepEqual(old['endpoints'] ?? [], endpoints) &&
    deepEqual(old['ports'] ?? [], ports) &&
    deepEqual(old.metadata.labels, sliceLabels(service)) &&
    old.metadata.ownerReferences?.[0]?.['uid'] === service.metadata.uid
  )
}

function writeSlice(state: ServerState, service: ApiObject, wanted: WantedSlice): void {
  if (isWritten(service, wanted)) return
  const { old } = wanted
  const kind = state.kinds.find('discovery.k8s.io', 'v1', 'endpointslices')
  if (!kind) return
  const { namespace = '', name = '', uid = '' } = service.metadata
  const request = {
    namespace,
    name: old?.metadata.name ?? '',
    user: 'system:serviceaccount:kube-system:endpointslice-controller',
    manager: 'kube-controller-manager',
    isDryRun: false,
  }
  const owner: JsonObject = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }
  const raw: JsonObject = {
    kind: kind.kind,
    apiVersion: 'discovery.k8s.io/v1',
    metadata: {
      ...(old ? { name: old.metadata.name } : { generateName: `${name}-` }),
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [owner],
    },
    addressType: wanted.addressType,
    endpoints: [...wanted.endpoints],
    ports: [...wanted.ports],
  }
  const object = { kind: kind.kind, apiVersion: 'discovery.k8s.io/v1', ...kind.decode(raw).object }
  if (old) updateObject(state, kind, old, object, request, { subresource: '', isPatch: true })
  else if (isAlive(state, namespace)) createObject(state, kind, object, request)
}

function isAlive(state: ServerState, namespace: string): boolean {
  const found = state.storage.collection('namespaces').get(namespace)
  return found !== undefined && objectAt(found, 'status')['phase'] !== 'Terminating'
}
