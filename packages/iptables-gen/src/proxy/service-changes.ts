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
  const applied = new Map<string, readonly ServicePortFacts[]>()
  const pending = new Map<string, readonly ServicePortFacts[]>()
  return {
    update(service, isDeleted = false) {
      const key = keyOf(service)
      const facts = isDeleted ? [] : servicePorts(service, { family }).value
      if (deepEqual(applied.get(key) ?? [], facts)) pending.delete(key)
      else pending.set(key, facts)
      return pending.size > 0
    },
    get pending() {
      return pending.size
    },
    ports() {
      const now = new Map([...applied, ...pending])
      return [...now.values()].flatMap((facts) => facts.map((fact) => fact.key))
    },
    accept() {
      const names = [...pending.keys()]
      for (const [key, facts] of pending) {
        if (facts.length === 0) applied.delete(key)
        else applied.set(key, facts)
      }
      pending.clear()
      return names
    },
  }
}
