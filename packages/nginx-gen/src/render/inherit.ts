// What is equal everywhere stands once in `http`; a location repeats only what differs. nginx inherits all directives
// of one name together, so they are compared by name as a whole.

import type { ConfigNode, Directive } from '../config/node.ts'

/** Directives of an outer block by name, in text form. */
export type Inherited = ReadonlyMap<string, string>

/** Prepares the comparison with the directives of an outer block. */
export function inheritedFrom(nodes: readonly ConfigNode[]): Inherited {
  const lists = new Map<string, Directive[]>()
  for (const node of nodes) {
    if (node.kind !== 'directive') continue
    lists.set(node.name, [...(lists.get(node.name) ?? []), node])
  }
  return new Map([...lists].map(([name, list]) => [name, textOf(list)]))
}

/** The nodes without those that say what the outer block says already. */
export function withoutInherited(nodes: readonly ConfigNode[], outer: Inherited): readonly ConfigNode[] {
  const own = new Map<string, Directive[]>()
  for (const node of nodes) {
    if (node.kind === 'directive' && outer.has(node.name)) own.set(node.name, [...(own.get(node.name) ?? []), node])
  }
  const equal = new Set([...own].filter(([name, list]) => textOf(list) === outer.get(name)).map(([name]) => name))
  return equal.size === 0 ? nodes : nodes.filter((node) => node.kind !== 'directive' || !equal.has(node.name))
}

function textOf(list: readonly Directive[]): string {
  return JSON.stringify(list.map(({ args }) => args))
}
