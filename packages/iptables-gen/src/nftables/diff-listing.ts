// (listing of the kernel, wanted table) → what has to happen, or what is wrong, in words. Where the listing holds
// something that cannot be changed in place the table has to be replaced.

import type { BuiltNftTable } from './build-table.ts'
import type { ElementChange, NftChanges, NftContainer } from './changes.ts'
import { containersFor, diffNftTables, elementChange } from './diff-tables.ts'
import { type ListedSet, type ListedTable, listNftChain, listNftMap, listNftSet } from './list-table.ts'
import type { NftTable } from './table.ts'

/**
 * What leads from what the kernel holds to a table; `undefined` when the kernel's has a base chain, set or map of another
 * kind under a name that is wanted.
 */
export function diffNftListing(listed: ListedTable, wanted: NftTable): NftChanges | undefined {
  if (isOfAnotherKind(listed, wanted)) return undefined
  const { family } = wanted
  const chains = [...wanted.chains.values()].filter(
    (chain) => !isEqualList(listed.chains[chain.name], listNftChain(chain, family)),
  )
  const sets = [...wanted.sets.values()].filter((set) => {
    const known = listed.sets[set.name]
    return known === undefined || known.timeout !== listNftSet(set, family).timeout
  })
  const maps = [...wanted.maps.values()].filter((map) => listed.maps[map.name] === undefined)
  return {
    isNewTable: false,
    containers: containersFor(chains, wanted, [...sets, ...maps]),
    fresh: [],
    chains: chains.map((chain) => ({ chain, isNew: listed.chains[chain.name] === undefined })),
    elements: [...wanted.sets.values(), ...wanted.maps.values()].flatMap((one) => diffElements(listed, one, family)),
    removedChains: Object.keys(listed.chains).filter((name) => !wanted.chains.has(name)),
    removedSets: Object.keys(listed.sets).filter((name) => !wanted.sets.has(name)),
  }
}

/** Something that is not as it was loaded. */
export interface NftFault {
  /** In words. */
  readonly what: string
  /** Rules or elements are there but read otherwise: it may be that this nft writes them otherwise. */
  readonly mayBeSpelling: boolean
}

/** All that differs. */
export function auditNftListing(listed: ListedTable | undefined, wanted: NftTable): readonly NftFault[] {
  const missing = (what: string): NftFault => ({ what, mayBeSpelling: false })
  const other = (what: string): NftFault => ({ what, mayBeSpelling: true })
  if (listed === undefined) return [missing('the table is gone')]
  const changes = diffNftListing(listed, wanted)
  if (changes === undefined) return [other('a chain, set or map is of another kind')]
  const faultOf = (one: NftContainer): readonly NftFault[] => {
    const known = (one.kind === 'set' ? listed.sets : listed.maps)[one.name]
    if (known === undefined) return [missing(`${one.kind} ${one.name} is gone`)]
    const isSame = one.kind === 'map' || known.timeout === listNftSet(one, wanted.family).timeout
    return isSame ? [] : [other(`set ${one.name} has another timeout`)]
  }
  return [
    ...changes.chains.map(({ chain: { name }, isNew }) =>
      isNew ? missing(`chain ${name} is gone`) : other(`chain ${name} has other rules`),
    ),
    ...changes.elements.flatMap(({ container: { kind, name }, gone, added }) => [
      ...gone.map((key) => other(`${kind} ${name} holds ${key}`)),
      ...added.map((element) => other(`${kind} ${name} lacks ${element}`)),
    ]),
    ...changes.containers.flatMap(faultOf),
    ...[...changes.removedChains, ...changes.removedSets].map((name) => missing(`${name} is not ours`)),
  ]
}

/** What leads from no table at all to this one; the chains of service ports come in lots. */
export function diffFromNothing({ frame, lots }: BuiltNftTable): NftChanges {
  return { ...diffNftTables(undefined, frame), fresh: lots }
}

function isOfAnotherKind(listed: ListedTable, wanted: NftTable): boolean {
  const { family } = wanted
  const differs = (known: ListedSet | undefined, one: ListedSet): boolean =>
    known !== undefined && (known.type !== one.type || known.flags !== one.flags)
  return (
    [...wanted.chains.values()].some((chain) => {
      const [head] = listed.chains[chain.name] ?? []
      if (head === undefined && listed.chains[chain.name] === undefined) return false
      return isHead(head) || chain.hook !== undefined ? head !== listNftChain(chain, family)[0] : false
    }) ||
    [...wanted.sets.values()].some((set) => differs(listed.sets[set.name], listNftSet(set, family))) ||
    [...wanted.maps.values()].some((map) => differs(listed.maps[map.name], listNftMap(map, family))) ||
    [...wanted.sets.keys()].some((name) => listed.maps[name] !== undefined) ||
    [...wanted.maps.keys()].some((name) => listed.sets[name] !== undefined)
  )
}

function isHead(line: string | undefined): boolean {
  return line !== undefined && /^type \w+ hook /.test(line)
}

function isEqualList(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a !== undefined && a.length === b.length && a.every((line, i) => line === b[i])
}

// What clients did fills a set with a timeout: that is not ours to compare.
function diffElements(listed: ListedTable, one: NftContainer, family: NftTable['family']): readonly ElementChange[] {
  if (one.kind === 'set' && one.timeoutSeconds !== undefined) return []
  const found = one.kind === 'set' ? listed.sets[one.name] : listed.maps[one.name]
  const wanted = one.kind === 'set' ? listNftSet(one, family) : listNftMap(one, family)
  const [before, after] = [new Set(found?.elements), new Set(wanted.elements)]
  return elementChange(
    one,
    [...before].filter((text) => !after.has(text)).map(keyOf),
    [...after].filter((text) => !before.has(text)),
  )
}

// `KEY [comment "…"] : VERDICT`, or the key alone.
function keyOf(text: string): string {
  return text.replace(/ (?:comment "|: )[\s\S]*$/, '')
}
