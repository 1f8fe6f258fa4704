// Who put what into the sets and maps that all service ports share: so that one change of a port gives the few elements
// that come and go, although two ports may want the same element.

import { compareText, deepEqual } from '@kubewire/kube-model'
import type { PortView } from '../proxy/sections/section.ts'
import { sharedElements, sharedMembers } from './service-chains.ts'
import type { NftElement } from './table.ts'

/** What came and went in one set or map. */
export interface ContentChange {
  readonly name: string
  readonly before: ReadonlyMap<string, NftElement | string>
  readonly after: ReadonlyMap<string, NftElement | string>
}

/** The shared content of some service ports; changes in place. A class because it has a lifetime. */
export class SharedContent {
  // `name key` of an element → the ports that want it, the one that has it last.
  readonly #owners = new Map<string, readonly PortView[]>()
  // `name key` of a member → how many ports want it.
  readonly #counts = new Map<string, number>()

  constructor(ports: readonly PortView[]) {
    for (const port of ports) {
      for (const { map, element } of sharedElements(port)) this.#own(`${map} ${element.key}`, port)
      for (const [set, member] of sharedMembers(port)) this.#count(`${set} ${member}`, 1)
    }
  }

  /** Takes ports out and others in; says what that changed, by set and map. */
  replace(gone: readonly PortView[], come: readonly PortView[]): readonly ContentChange[] {
    const touched = new Map<string, { readonly name: string; readonly key: string; readonly before: Value }>()
    const touch = (name: string, key: string): string => {
      const id = `${name} ${key}`
      if (!touched.has(id)) touched.set(id, { name, key, before: this.#value(name, key) })
      return id
    }
    for (const port of gone) {
      for (const { map, element } of sharedElements(port)) this.#disown(touch(map, element.key), port)
      for (const [set, member] of sharedMembers(port)) this.#count(touch(set, member), -1)
    }
    for (const port of come) {
      for (const { map, element } of sharedElements(port)) this.#own(touch(map, element.key), port)
      for (const [set, member] of sharedMembers(port)) this.#count(touch(set, member), 1)
    }
    const changes = new Map<string, MutableChange>()
    for (const { name, key, before } of touched.values()) {
      const after = this.#value(name, key)
      if (deepEqual(before, after)) continue
      const change = changes.get(name) ?? { name, before: new Map(), after: new Map() }
      changes.set(name, change)
      if (before !== undefined) change.before.set(key, before)
      if (after !== undefined) change.after.set(key, after)
    }
    return [...changes.values()]
  }

  #value(name: string, key: string): Value {
    const id = `${name} ${key}`
    if (this.#counts.has(id)) return key
    const owner = this.#owners.get(id)?.at(-1)
    return owner && sharedElements(owner).find(({ map, element }) => map === name && element.key === key)?.element
  }

  #own(id: string, port: PortView): void {
    const owners = this.#owners.get(id)
    this.#owners.set(id, owners === undefined ? [port] : [...owners, port].sort(byOrderOfRules))
  }

  #disown(id: string, port: PortView): void {
    const owners = this.#owners.get(id)?.filter((one) => one !== port) ?? []
    if (owners.length === 0) this.#owners.delete(id)
    else this.#owners.set(id, owners)
  }

  #count(id: string, by: 1 | -1): void {
    const count = (this.#counts.get(id) ?? 0) + by
    if (count === 0) this.#counts.delete(id)
    else this.#counts.set(id, count)
  }
}

type Value = NftElement | string | undefined

interface MutableChange extends ContentChange {
  readonly before: Map<string, NftElement | string>
  readonly after: Map<string, NftElement | string>
}

function byOrderOfRules({ facts: a }: PortView, { facts: b }: PortView): number {
  return compareText(`${a.namespace}/${a.serviceName}`, `${b.namespace}/${b.serviceName}`) || compareText(a.key, b.key)
}
