// Keeps EndpointSlices in step with Services and Pods, as kube-controller-manager would. Slices of others are left alone,
// and a Service that never had a pod gets none: manifests with hand-written slices stay as they are.

import { deepEqual, zoneLabel } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import { keyOfObject } from '../api-object.ts'
import { type JsonObject, objectAt } from '../json.ts'
import type { ServerState } from '../server-state.ts'
import { createObject } from '../verbs/create.ts'
import { updateObject } from '../verbs/update.ts'
import {
  controllerName,
  isSelecting,
  managedBy,
  planSlices,
  selectedPods,
  sliceLabels,
  type WantedSlice,
} from './plan-slices.ts'
import { createSelectorIndex } from './selector-index.ts'

/** Runs until the returned function is called. */
export function runEndpointSliceController(state: ServerState): () => void {
  const { storage, clock } = state
  const dirty = new Set<string>()
  const index = createSelectorIndex()
  for (const service of storage.collection('services').list()) index.set(keyOfObject(service), service)
  let cancel = (): void => {}
  let isScheduled = false
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    cancel = clock.after(0, () => {
      isScheduled = false
      const keys = [...dirty]
      dirty.clear()
      for (const key of keys) reconcile(state, key)
    })
  }
  const markService = (key: string): void => {
    dirty.add(key)
    schedule()
  }
  const markPod = (pod: ApiObject | undefined): void => {
    if (!pod) return
    for (const key of index.selecting(pod)) markService(key)
  }
  for (const service of storage.collection('services').list()) markService(keyOfObject(service))
  const stops = [
    storage.collection('services').subscribe(({ key, after }) => {
      index.set(key, after)
      markService(key)
    }),
    storage.collection('pods').subscribe(({ before, after }) => {
      markPod(before)
      markPod(after)
    }),
  ]
  return () => {
    cancel()
    for (const stop of stops) stop()
  }
}

function reconcile(state: ServerState, key: string): void {
  const kind = state.kinds.find('discovery.k8s.io', 'v1', 'endpointslices')
  if (!kind) return
  const { storage } = state
  const service = storage.collection('services').get(key)
  const namespace = key.split('/')[0] ?? ''
  const name = key.split('/')[1] ?? ''
  const existing = ownSlices(state, namespace, name)
  if (!service || !isSelecting(service)) {
    for (const slice of existing) storage.remove(kind.storage, keyOfObject(slice))
    return
  }
  const pods = selectedPods(service, storage.collection('pods').listIn(namespace))
  if (pods.length === 0 && existing.length === 0) return
  const zoneOf = (node: string) => storage.collection('nodes').get(node)?.metadata.labels?.[zoneLabel]
  const wanted = planSlices(service, pods, zoneOf)
  const free = [...existing]
  for (const slice of wanted) {
    const at = free.findIndex((each) => each['addressType'] === slice.addressType && samePorts(each, slice))
    const old = at < 0 ? undefined : free.splice(at, 1)[0]
    writeSlice(state, service, slice, old)
  }
  // The last slice stays, empty, so that watchers see endpoints go rather than slices.
  const kept = wanted.length === 0 ? free.shift() : undefined
  if (kept) writeSlice(state, service, { addressType: String(kept['addressType']), ports: [], endpoints: [] }, kept)
  for (const slice of free) storage.remove(kind.storage, keyOfObject(slice))
}

function ownSlices(state: ServerState, namespace: string, service: string): ApiObject[] {
  const slices = state.storage.collection('endpointslices.discovery.k8s.io').listIn(namespace)
  return slices.filter(({ metadata: { labels = {} } }) => {
    return labels[managedBy] === controllerName && labels['kubernetes.io/service-name'] === service
  })
}

function samePorts(slice: ApiObject, { ports }: WantedSlice): boolean {
  return deepEqual(slice['ports'] ?? [], ports)
}

function writeSlice(state: ServerState, service: ApiObject, wanted: WantedSlice, old: ApiObject | undefined): void {
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
