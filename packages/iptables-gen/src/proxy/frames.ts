// The chains that exist once: built-in ones with their jumps, and those that all services share, with their static rules.

import { deepEqual } from '@kubewire/kube-model'
import type { Frame, FrameChain } from '../ruleset/part-table.ts'
import type { Rule } from '../ruleset/rule.ts'
import { chainNames } from './chain-names.ts'
import { jumpHooks } from './sections/jump-hooks.ts'
import { firstSections, lastSections } from './sections/registry.ts'
import type { SectionContext, StaticSection } from './sections/section.ts'

/** One frame a table. */
export interface Frames {
  readonly filter: Frame
  readonly nat: Frame
}

// Chains that exist even without a rule (kube-proxy declares them in every restore).
const declaredChains = {
  filter: [
    chainNames.services,
    chainNames.externalServices,
    chainNames.forward,
    chainNames.nodePorts,
    chainNames.proxyFirewall,
  ],
  nat: [chainNames.services, chainNames.nodePorts, chainNames.postrouting, chainNames.markMasq],
} as const

/** Makes the frames; those of `before` when nothing in them changed. */
export function makeFrames(context: SectionContext, before: Frames | undefined): Frames {
  const first = runSections(firstSections, context)
  const last = runSections(lastSections, context)
  const frames = { filter: makeFrame('filter', first, last), nat: makeFrame('nat', first, last) }
  return before !== undefined && deepEqual(before, frames) ? before : frames
}

type RulesByPlace = ReadonlyMap<string, readonly Rule[]>

function makeFrame(table: 'filter' | 'nat', first: RulesByPlace, last: RulesByPlace): Frame {
  const chains = new Map<string, FrameChain>(builtInChains[table])
  const targets = jumpHooks.filter((hook) => hook.table === table).map((hook) => hook.to)
  for (const name of [...targets, ...declaredChains[table]]) {
    const place = `${table} ${name}`
    chains.set(name, { name, first: first.get(place) ?? [], last: last.get(place) ?? [] })
  }
  return chains
}

function runSections(sections: readonly StaticSection[], context: SectionContext): RulesByPlace {
  const lists = new Map<string, Rule[]>()
  for (const section of sections) {
    for (const { table, name, rules } of section(context)) {
      const place = `${table} ${name}`
      lists.set(place, [...(lists.get(place) ?? []), ...rules])
    }
  }
  return lists
}

// Each jump is inserted at the head, so the last of the list stands first.
function hookChains(table: 'filter' | 'nat'): Frame {
  const chains = new Map<string, FrameChain>()
  for (const { from, rule } of jumpHooks.filter((hook) => hook.table === table))
    chains.set(from, { name: from, first: [rule, ...(chains.get(from)?.first ?? [])], last: [], policy: 'ACCEPT' })
  return chains
}

const builtInChains = {
  filter: hookChains('filter'),
  nat: hookChains('nat'),
} as const
