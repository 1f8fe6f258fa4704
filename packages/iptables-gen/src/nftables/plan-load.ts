// (installed, wanted) → one transaction for `nft -f -`. Chains, elements and sets that are equal are not mentioned;
// what nobody needs any more is removed at the end of the same transaction, after everything that referred to it.

import { deepEqual } from '@kubewire/kube-model'
import { printNftElement, printNftRule, printTypes } from './print-rule.ts'
import { type NftChain, type NftElement, type NftMap, type NftSet, type NftTable, nftTableName } from './table.ts'

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
    if (before === chain) continue
    const rules = chain.rules.map((rule) => printNftRule(rule, wanted.family, 'load'))
    const old = before?.rules.map((rule) => printNftRule(rule, wanted.family, 'load'))
    if (old?.join('\n') === rules.join('\n')) continue
    if (before !== undefined) lines.push(`flush chain ${target} ${chain.name}`)
    for (const rule of rules) lines.push(`add rule ${target} ${chain.name} ${rule}`)
  }
  return lines
}

function changeElements(known: NftTable, wanted: NftTable, target: string): readonly string[] {
  const keysOf = (set: NftSet | undefined): ReadonlyMap<string, string> =>
    new Map((set?.elements ?? []).map((key) => [key, key]))
  const sets = [...wanted.sets.values()].flatMap((set) =>
    elementLines(target, set.name, keysOf(known.sets.get(set.name)), keysOf(set), (key) => key),
  )
  const elementsOf = (map: NftMap | undefined): ReadonlyMap<string, NftElement> =>
    new Map((map?.elements ?? []).map((element) => [element.key, element]))
  const maps = [...wanted.maps.values()].flatMap((map) =>
    elementLines(target, map.name, elementsOf(known.maps.get(map.name)), elementsOf(map), printNftElement),
  )
  return [...sets, ...maps]
}

// A changed value is a deletion and an addition: nft does not overwrite elements.
function elementLines<E>(
  target: string,
  name: string,
  before: ReadonlyMap<string, E>,
  after: ReadonlyMap<string, E>,
  print: (element: E) => string,
): readonly string[] {
  const gone = [...before.keys()].filter((key) => !deepEqual(before.get(key), after.get(key)))
  const fresh = [...after].filter(([key, element]) => !deepEqual(before.get(key), element))
  return [
    ...gone.map((key) => `delete element ${target} ${name} { ${key} }`),
    ...fresh.map(([, element]) => `add element ${target} ${name} { ${print(element)} }`),
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
