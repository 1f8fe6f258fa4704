// `-m tcp`, `-m udp`, `-m sctp`: port ranges. kube-proxy loads the module also where no port is asked for.

import { defineMatch, type MatchDefinition, not, type RuleOption } from './define.ts'

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number
  readonly last: number
  readonly negated?: boolean
}

/** Ports of one transport protocol; without a range the module is only loaded. */
export interface PortsMatch {
  readonly kind: 'ports'
  readonly protocol: 'tcp' | 'udp' | 'sctp'
  readonly source?: PortRange
  readonly destination?: PortRange
}

/** `-m tcp|udp|sctp [--sport …] [--dport …]`. */
export const ports: MatchDefinition<PortsMatch> = defineMatch<PortsMatch>({
  kind: 'ports',
  place: 'module',
  modules: ['tcp', 'udp', 'sctp'],
  options: { '--sport': 1, '--dport': 1, '--source-port': 1, '--destination-port': 1 },
  print: ({ source, destination }) => {
    const from = source ? printRange('--sport ', source) : ''
    const to = destination ? printRange('--dport ', destination) : ''
    return from !== '' && to !== '' ? `${from} ${to}` : from + to
  },
  parse: (options, module) => {
    let match: PortsMatch = { kind: 'ports', protocol: module as PortsMatch['protocol'] }
    for (const option of options) {
      const range = parseRange(option)
      if (range === undefined) return undefined
      const isSource = option.name === '--sport' || option.name === '--source-port'
      match = isSource ? { ...match, source: range } : { ...match, destination: range }
    }
    return match
  },
  holds: (match, packet) => {
    if (packet.protocol !== match.protocol) return false
    const bySource = rangeHolds(match.source, packet.sourcePort)
    const byDestination = rangeHolds(match.destination, packet.destinationPort)
    if (bySource === false || byDestination === false) return false
    return bySource === true && byDestination === true ? true : 'unknown'
  },
  describe: (match) =>
    [
      match.source ? `source port ${describeRange(match.source)}` : '',
      match.destination ? `port ${describeRange(match.destination)}` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
})

function rangeHolds(range: PortRange | undefined, port: number | undefined): boolean | 'unknown' {
  if (range === undefined) return true
  if (port === undefined) return 'unknown'
  return (port >= range.first && port <= range.last) !== (range.negated === true)
}

function printRange(option: string, { negated, first, last }: PortRange): string {
  return `${not(negated)}${option}${first === last ? first : `${first}:${last}`}`
}

function describeRange(range: PortRange): string {
  return printRange('', range)
}

function parseRange(option: RuleOption): PortRange | undefined {
  const match = /^([0-9]{0,5})(?::([0-9]{0,5}))?$/.exec(option.values[0] ?? '')
  if (match === null || option.values[0] === '') return undefined
  const first = Number(match[1] === '' ? 0 : match[1])
  const last = match[2] === undefined ? first : Number(match[2] === '' ? 65535 : match[2])
  return option.negated ? { first, last, negated: true } : { first, last }
}
