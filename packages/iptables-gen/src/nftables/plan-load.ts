// (installed, wanted) → one transaction for `nft -f -`. Chains, elements and sets that are equal are not mentioned;
// what nobody needs any more is removed at the end of the same transaction, after everything that referred to it.

import { printNftElement, printNftRule, printTypes } from './print-rule.ts'
import { type NftChain, type NftMap, type NftSet, type NftTable, nftTableName } from './table.ts'

/** The text that turns one table into the other; empty when nothing differs. `undefined`: nothing is known of it. */
export function planNftLoad(installed: NftTable | undefined, wanted: NftTable): string {
  const target = `${wanted.family === 4 ? 'ip' : 'ip6'} ${nftTableName}`
  const known = installed ?? { family: wanted.family, chains: new Map(), sets: new Map(), maps: new Map() }
  const lines = [
    ...(installed === undefined
      ? [`add table ${target}`, `delete table ${target}`, `add table ${target} { comment "rules for kube-proxy"; }`]
      : []),
    ...addContainers(known, wanted, target),
    ...writeChains(known, wanted, target),
    ...changeElements(known, wanted, target),
    ...removeStale(known, wanted, target),
  ]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

// Chains, sets and maps first: rules and elements may name any of them.
function addContainers(known: NftTable, wanted: NftTable, target: string): readonly string[] {
  const { family } = wanted
  // Adding a set that exists gives it the new timeout and keeps its elements.
  const sets = [...wanted.sets.values()]
    .filter((set) => !known.sets.has(set.name) || known.sets.get(set.name)?.timeoutSeconds !== set.timeoutSeconds)
    .map((set) => `add set ${target} ${set.name} ${setHead(set, family)}`)
  const maps = missing(known.maps, wanted.maps).map(
    (map) => `add map ${target} ${map.name} { type ${printTypes(map.fields, family)} : verdict; }`,
  )
  const chains = missing(known.chains, wanted.chains).map(
    (chain) => `add chain ${target} ${chain.name}${chainHead(chain)}`,
  )
  return [...sets, ...maps, ...chains]
}

function missing<T extends { readonly name: string }>(
  known: ReadonlyMap<string, T>,
  wanted: ReadonlyMap<string, T>,
): readonly T[] {
  return [...wanted.values()].filter((one) => !known.has(one.name))
}

function setHead({ fields, timeoutSeconds }: NftSet, family: NftTable['family']): string {
  const flags = timeoutSeconds === undefined ? '' : ` flags dynamic,timeout; timeout ${timeoutSeconds}s;`
  return `{ type ${printTypes(fields, family)};${flags} }`
}

function chainHead({ hook }: NftChain): string {
  return hook === undefined ? '' : ` { type ${hook.type} hook ${hook.hook} priority ${hook.priority}; }`
}

function writeChains(known: NftTable, wanted: NftTable, target: string): readonly string[] {
  const lines: string[] = []
  for (const chain of wanted.chains.values()) {
    const before = known.chains.get(chain.name)
    const rules = chain.rules.map((rule) => printNftRule(rule, wanted.family, 'load'))
    const old = before?.rules.map((rule) => printNftRule(rule, wanted.family, 'load'))
    if (old?.join('\n') === rules.join('\n')) continue
    if (before !== undefined) lines.push(`flush chain ${target} ${chain.name}`)
    for (const rule of rules) lines.push(`add rule ${target} ${chain.name} ${rule}`)
  }
  return lines
}

function changeElements(known: NftTable, wanted: NftTable, target: string): readonly string[] {
  const sets = [...wanted.sets.values()].flatMap((set) =>
    elementLines(
      target,
      set.name,
      new Map((known.sets.get(set.name)?.elements ?? []).map((key) => [key, key])),
      new Map(set.elements.map((key) => [key, key])),
    ),
  )
  const textsOf = (map: NftMap | undefined): ReadonlyMap<string, string> =>
    new Map((map?.elements ?? []).map((element) => [element.key, printNftElement(element)]))
  const maps = [...wanted.maps.values()].flatMap((map) =>
    elementLines(target, map.name, textsOf(known.maps.get(map.name)), textsOf(map)),
  )
  return [...sets, ...maps]
}

// A changed value is a deletion and an addition: nft does not overwrite elements.
function elementLines(
  target: string,
  name: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const gone = [...before].filter(([key, text]) => after.get(key) !== text).map(([key]) => key)
  const fresh = [...after].filter(([key, text]) => before.get(key) !== text).map(([, text]) => text)
  return [
    ...gone.map((key) => `delete element ${target} ${name} { ${key} }`),
    ...fresh.map((text) => `add element ${target} ${name} { ${text} }`),
  ]
}

function removeStale(known: NftTable, wanted: NftTable, target: string): readonly string[] {
  const chains = missing(wanted.chains, known.chains).map((chain) => chain.name)
  const sets = missing(wanted.sets, known.sets).map((set) => set.name)
  return [
    ...chains.map((name) => `flush chain ${target} ${name}`),
    ...chains.map((name) => `delete chain ${target} ${name}`),
    ...sets.map((name) => `delete set ${target} ${name}`),
  ]
}
