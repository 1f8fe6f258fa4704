// The chains that exist once: static rules, and the rules of all services in the order of services. A chain is made
// again only when a rule in it changed, so that an unchanged one is the same value as before.

import { deepEqual } from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import type { Rule } from '../ruleset/rule.ts'
import type { Table, TableName } from '../ruleset/ruleset.ts'
import { chainNames } from './chain-names.ts'
import { jumpHooks } from './sections/jump-hooks.ts'
import { firstSections, lastSections } from './sections/registry.ts'
import type { SectionContext, StaticSection } from './sections/section.ts'
import type { ServiceRules } from './service-rules.ts'

/** Shared chains by `TABLE CHAIN`, and the static rules they were made with. */
export interface SharedChains {
  readonly first: ReadonlyMap<string, readonly Rule[]>
  readonly last: ReadonlyMap<string, readonly Rule[]>
  readonly chains: ReadonlyMap<string, Chain>
}

// Chains that exist even without a rule (kube-proxy declares them in every restore).
const declaredChains: readonly string[] = [
  `filter ${chainNames.services}`,
  `filter ${chainNames.externalServices}`,
  `filter ${chainNames.forward}`,
  `filter ${chainNames.nodePorts}`,
  `filter ${chainNames.proxyFirewall}`,
  `nat ${chainNames.services}`,
  `nat ${chainNames.nodePorts}`,
  `nat ${chainNames.postrouting}`,
  `nat ${chainNames.markMasq}`,
]

/**
 * Makes the shared chains, or takes over those of `before` in which nothing changed.
 *
 * @param changed - keys (`TABLE CHAIN`) in which the rules of some service changed since `before`
 */
export function makeSharedChains(
  services: readonly ServiceRules[],
  context: SectionContext,
  before: SharedChains | undefined,
  changed: ReadonlySet<string>,
): SharedChains {
  const first = runSections(firstSections, context)
  const last = runSections(lastSections, context)
  const isSameStatic = before !== undefined && deepEqual([...before.first, ...before.last], [...first, ...last])
  if (isSameStatic && changed.size === 0) return before
  const keys = new Set([...declaredChains, ...first.keys(), ...last.keys(), ...changed])
  const chains = new Map<string, Chain>()
  for (const key of keys) {
    const known = isSameStatic && !changed.has(key) ? before.chains.get(key) : undefined
    chains.set(key, known ?? makeChain(key, services, first.get(key) ?? [], last.get(key) ?? []))
  }
  return { first, last, chains }
}

/** The chains of one table: built-in chains with their jumps first, then the shared ones; those jumped to exist. */
export function sharedTable(shared: SharedChains, table: 'filter' | 'nat'): Table {
  const chains = new Map<string, Chain>(builtInChains[table])
  for (const [key, chain] of [...hookTargets, ...shared.chains])
    if (key.startsWith(`${table} `)) chains.set(chain.name, chain)
  return chains
}

function makeChain(
  key: string,
  services: readonly ServiceRules[],
  first: readonly Rule[],
  last: readonly Rule[],
): Chain {
  const rules = [...first]
  for (const service of services) {
    const own = service.shared.get(key)
    if (own !== undefined) rules.push(...own)
  }
  rules.push(...last)
  return { name: key.slice(key.indexOf(' ') + 1), rules }
}

function runSections(
  sections: readonly StaticSection[],
  context: SectionContext,
): ReadonlyMap<string, readonly Rule[]> {
  const lists = new Map<string, Rule[]>()
  for (const section of sections) {
    for (const { table, chain, rule } of section(context)) {
      const key = `${table} ${chain}`
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [rule])
      else list.push(rule)
    }
  }
  return lists
}

// Each jump is inserted at the head, so the last of the list stands first.
function hookChains(table: TableName): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>()
  for (const { from, rule } of jumpHooks.filter((hook) => hook.table === table))
    chains.set(from, { name: from, rules: [rule, ...(chains.get(from)?.rules ?? [])], policy: 'ACCEPT' })
  return chains
}

const builtInChains = {
  filter: hookChains('filter'),
  nat: hookChains('nat'),
} as const

const hookTargets: readonly (readonly [string, Chain])[] = jumpHooks.map(
  ({ table, to }) => [`${table} ${to}`, { name: to, rules: [] }] as const,
)
