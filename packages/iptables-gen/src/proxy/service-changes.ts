// Which services changed since the last accepted ruleset. A change that is undone before it was applied is none.
// Source: kube-proxy 1.36 pkg/proxy/servicechangetracker.go.

import { deepEqual, type IpFamily, keyOf, type Service } from '@kubewire/kube-model'
import { type ServicePortFacts, servicePorts } from './service-port.ts'

/** Pending changes of services in one family. */
export interface ServiceChanges {
  /** A service as it is now, or its last state with `isDeleted`. Answers whether anything at all is pending. */
  update(service: Service, isDeleted?: boolean): boolean
  /** Number of services that differ from what was applied. */
  readonly pending: number
  /** Service ports known now, pending ones included, as `namespace/name:port/PROTOCOL`. */
  ports(): readonly string[]
  /** Names of the changed services; from now on their state counts as applied. Call it when the kernel accepted. */
  accept(): readonly string[]
}

/** Starts with nothing applied. */
export function createServiceChanges(family: IpFamily): ServiceChanges {
  // Services as they come from the store, which has them anyway; their facts are read again when an event needs them.
  const applied = new Map<string, Service>()
  const pending = new Map<string, Service | undefined>()
  const factsOf = (service: Service | undefined): readonly ServicePortFacts[] =>
    service === undefined ? [] : servicePorts(service, { family }).value
  return {
    update(service, isDeleted = false) {
      const key = keyOf(service)
      const now = isDeleted ? undefined : service
      if (deepEqual(factsOf(applied.get(key)), factsOf(now))) pending.delete(key)
      else pending.set(key, now)
      return pending.size > 0
    },
    get pending() {
      return pending.size
    },
    ports() {
      const now = new Map<string, Service | undefined>([...applied, ...pending])
      return [...now.values()].flatMap((service) => factsOf(service).map((fact) => fact.key))
    },
    accept() {
      const names = [...pending.keys()]
      for (const [key, service] of pending) {
        if (service === undefined) applied.delete(key)
        else applied.set(key, service)
      }
      pending.clear()
      return names
    },
  }
}
