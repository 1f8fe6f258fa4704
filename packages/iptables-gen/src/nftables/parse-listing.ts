// What `nft -s -y list table` prints, taken apart into the same form as `listNftTable` gives. Comments of chains and sets
// and the size of dynamic sets are left out: the kernel adds what it likes there.

import type { ListedSet, ListedTable } from './list-table.ts'

/** Reads the listing of one table; an empty text gives an empty table. */
export function parseNftListing(text: string): ListedTable {
  const chains: Record<string, readonly string[]> = {}
  const sets: Record<string, ListedSet> = {}
  const maps: Record<string, ListedSet> = {}
  for (const [, kind = '', name = '', body = ''] of text.matchAll(block)) {
    if (kind === 'chain') chains[name] = readChain(body)
    else if (kind === 'set') sets[name] = readSet(body)
    else maps[name] = readSet(body)
  }
  return { chains, sets, maps }
}

const block = /^\t(chain|set|map) (\S+) \{\n([\s\S]*?)^\t\}/gm

function readChain(body: string): readonly string[] {
  return body
    .split('\n')
    .map(single)
    .filter((line) => line !== '' && !line.startsWith('comment "'))
}

function readSet(body: string): ListedSet {
  const flat = single(body.replaceAll('\n', ' '))
  const field = (name: string): string | undefined =>
    new RegExp(`(?:^| )${name} ([^=]*?)(?= (?:size|flags|timeout|comment|elements)\\b|$)`).exec(flat)?.[1]?.trim()
  const elements = /elements = \{ (.*) \}$/.exec(flat)?.[1]
  const [flags, timeout] = [field('flags'), field('timeout')]
  return {
    type: field('type') ?? '',
    ...(flags === undefined ? {} : { flags: flags.replaceAll(', ', ',') }),
    ...(timeout === undefined ? {} : { timeout }),
    elements: elements === undefined ? [] : splitElements(elements).sort(),
  }
}

// Commas separate elements, except inside of quotes.
function splitElements(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map(single).filter((element) => element !== '')
}

function single(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
