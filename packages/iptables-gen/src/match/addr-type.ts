// `-m addrtype`: the kind of an address by the routing table. Only LOCAL can be decided from local addresses alone.

import { isLocalAddress } from '../simulate/packet.ts'
import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition, type MatchResult, not } from './define.ts'

/** `-m addrtype [!] --src-type TYPE [!] --dst-type TYPE`. */
export interface AddrTypeMatch {
  readonly kind: 'addr-type'
  readonly source?: { readonly type: string; readonly negated?: boolean }
  readonly destination?: { readonly type: string; readonly negated?: boolean }
}

/** `-m addrtype`. */
export const addrType: MatchDefinition<AddrTypeMatch> = defineMatch<AddrTypeMatch>({
  kind: 'addr-type',
  place: 'module',
  modules: ['addrtype'],
  options: { '--src-type': 1, '--dst-type': 1 },
  print: ({ source, destination }) => {
    const from = source ? `${not(source.negated)}--src-type ${quoteWord(source.type)}` : ''
    const to = destination ? `${not(destination.negated)}--dst-type ${quoteWord(destination.type)}` : ''
    return from !== '' && to !== '' ? `${from} ${to}` : from + to
  },
  parse: (options) => {
    let match: AddrTypeMatch = { kind: 'addr-type' }
    for (const { name, negated, values } of options) {
      const side = { type: values[0] ?? '', ...(negated ? { negated } : {}) }
      match = name === '--src-type' ? { ...match, source: side } : { ...match, destination: side }
    }
    return match
  },
  holds: ({ source, destination }, packet) => {
    const bySource = typeHolds(source, () => isLocalAddress(packet.machine, packet.source))
    const byDestination = typeHolds(destination, () => isLocalAddress(packet.machine, packet.destination))
    if (bySource === false || byDestination === false) return false
    return bySource === true && byDestination === true ? true : 'unknown'
  },
  describe: ({ source, destination }) =>
    [
      source ? `source address is ${source.negated ? 'not ' : ''}${source.type}` : '',
      destination ? `destination address is ${destination.negated ? 'not ' : ''}${destination.type}` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
})

function typeHolds(side: AddrTypeMatch['source'], isLocal: () => boolean): MatchResult {
  if (side === undefined) return true
  return side.type === 'LOCAL' ? isLocal() !== (side.negated === true) : 'unknown'
}
