// `-m multiport`: a list of ports and ranges, of up to fifteen, for firewalls of other agents.

import { defineMatch, type MatchDefinition, not } from './define.ts'

/** Ports of which one has to be the packet's source, its destination, or either. */
export interface MultiportMatch {
  readonly kind: 'multiport'
  readonly of: 'source' | 'destination' | 'either'
  readonly negated?: boolean
  /** Both ends included. */
  readonly ranges: readonly (readonly [number, number])[]
}

const optionOf = { source: '--sports', destination: '--dports', either: '--ports' } as const
const sideOf: { readonly [option: string]: MultiportMatch['of'] } = {
  '--sports': 'source',
  '--source-ports': 'source',
  '--dports': 'destination',
  '--destination-ports': 'destination',
  '--ports': 'either',
}

/** `-m multiport [!] --dports 80,8000:8080`. */
export const multiport: MatchDefinition<MultiportMatch> = defineMatch<MultiportMatch>({
  kind: 'multiport',
  place: 'module',
  modules: ['multiport'],
  options: Object.fromEntries(Object.keys(sideOf).map((name) => [name, 1])),
  print: ({ of, negated, ranges }) => `${not(negated)}${optionOf[of]} ${printRanges(ranges)}`,
  parse: ([option, ...rest]) => {
    const of = sideOf[option?.name ?? '']
    const ranges = option?.values[0]?.split(',').map(parseRange) ?? []
    if (option === undefined || of === undefined || rest.length > 0) return undefined
    const good = ranges.filter((range) => range !== undefined)
    if (good.length < ranges.length) return undefined
    return { kind: 'multiport', of, ...(option.negated ? { negated: true } : {}), ranges: good }
  },
  holds: ({ of, negated, ranges }, { sourcePort, destinationPort }) => {
    const sides = [...(of === 'destination' ? [] : [sourcePort]), ...(of === 'source' ? [] : [destinationPort])]
    const isListed = sides.some(
      (port) => port !== undefined && ranges.some(([first, last]) => port >= first && port <= last),
    )
    if (!isListed && sides.includes(undefined)) return 'unknown'
    return isListed !== (negated === true)
  },
  describe: ({ of, negated, ranges }) =>
    `${of === 'either' ? 'a port' : of === 'source' ? 'source port' : 'port'} ${negated ? 'not ' : ''}in ${printRanges(ranges)}`,
})

function printRanges(ranges: MultiportMatch['ranges']): string {
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(',')
}

function parseRange(text: string): readonly [number, number] | undefined {
  const match = /^([0-9]{1,5})(?::([0-9]{1,5}))?$/.exec(text)
  if (match === null) return undefined
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  return first <= last && last <= 65_535 ? [first, last] : undefined
}
