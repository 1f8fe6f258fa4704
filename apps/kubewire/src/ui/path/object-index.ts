// Addresses → the objects that have them: a Service by its addresses, a Pod or an endpoint by its own.

import type { ClusterSnapshot, ObjectRef } from '@kubewire/kube-model'
import { refOf, serviceNameLabel } from '@kubewire/kube-model'

/** Objects by address, made once a snapshot. */
export interface ObjectIndex {
  /** Who has this address, most telling first. */
  ofAddress(address: string): readonly ObjectRef[]
}

/** Reads every Service, Pod and EndpointSlice once. */
export function createObjectIndex(snapshot: ClusterSnapshot): ObjectIndex {
  const byAddress = new Map<string, ObjectRef[]>()
  const add = (address: string | undefined, ref: ObjectRef): void => {
    if (address === undefined || address === '' || address === 'None') return
    const known = byAddress.get(address)
    if (known === undefined) byAddress.set(address, [ref])
    else if (!known.some(({ kind, name }) => kind === ref.kind && name === ref.name)) known.push(ref)
  }
  for (const service of snapshot.services) {
    const { clusterIP, clusterIPs = [], externalIPs = [] } = service.spec ?? {}
    const ref = refOf(service, 'Service')
    for (const address of [clusterIP, ...clusterIPs, ...externalIPs]) add(address, ref)
    for (const { ip } of service.status?.loadBalancer?.ingress ?? []) add(ip, ref)
  }
  for (const pod of snapshot.pods) add(pod.status?.podIP, refOf(pod, 'Pod'))
  for (const slice of snapshot.endpointSlices) {
    const { namespace, labels } = slice.metadata ?? {}
    for (const { addresses = [], targetRef } of slice.endpoints ?? []) {
      const service = labels?.[serviceNameLabel]
      const pod = targetRef?.kind === 'Pod' ? targetRef.name : undefined
      for (const address of addresses) {
        if (pod !== undefined)
          add(address, { kind: 'Pod', name: pod, ...(namespace === undefined ? {} : { namespace }) })
        else if (service !== undefined) {
          add(address, { kind: 'Service', name: service, ...(namespace === undefined ? {} : { namespace }) })
        }
      }
    }
  }
  return { ofAddress: (address) => byAddress.get(address) ?? [] }
}
