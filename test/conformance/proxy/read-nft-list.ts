// Reads `nft -s -y list table` into chains, sets and maps, as the recorded files hold them: blanks single, elements
// sorted, no comments of sets.

/** A table taken apart. */
export interface ReadTable {
  readonly chains: Record<string, readonly string[]>
  readonly sets: Record<string, Record<string, unknown>>
  readonly maps: Record<string, Record<string, unknown>>
}

/** Reads a listing; an empty text gives an empty table. */
export function readNftList(text: string): ReadTable {
  const table: ReadTable = { chains: {}, sets: {}, maps: {} }
  const block = /^\t(chain|set|map) (\S+) \{\n([\s\S]*?)^\t\}/gm
  for (const [, kind = '', name = '', body = ''] of text.matchAll(block)) {
    if (kind === 'chain')
      table.chains[name] = body
        .split('\n')
        .map(single)
        .filter((line) => line !== '' && !line.startsWith('comment "'))
    else table[kind === 'set' ? 'sets' : 'maps'][name] = readSet(body)
  }
  return table
}

function readSet(body: string): Record<string, unknown> {
  const flat = single(body.replaceAll('\n', ' '))
  const field = (name: string): string | undefined =>
    new RegExp(`(?:^| )${name} ([^=]*?)(?= (?:size|flags|timeout|comment|elements)\\b|$)`).exec(flat)?.[1]?.trim()
  const elements = /elements = \{ (.*?) \}$/.exec(flat)?.[1]
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
  return (text.match(/(?:"[^"]*"|[^,])+/g) ?? []).map(single).filter((element) => element !== '')
}

function single(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
