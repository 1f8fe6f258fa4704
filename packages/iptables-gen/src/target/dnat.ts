import { joinHostPort, parseIp } from '@kubewire/kube-model'
import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j DNAT --to-destination ADDRESS[:PORT]`. */
export interface DnatTarget {
  readonly kind: 'dnat'
  readonly address: string
  readonly port?: number
}

/** `-j DNAT` to one address; ranges are not read. */
export const dnat: TargetDefinition<DnatTarget> = defineTarget<DnatTarget>({
  kind: 'dnat',
  names: ['DNAT'],
  options: { '--to-destination': 1 },
  print: ({ address, port }) => `DNAT --to-destination ${port === undefined ? address : joinHostPort(address, port)}`,
  parse: ([option, ...rest]) => {
    const match = /^\[?([0-9a-fA-F.:]+?)\]?(?::([0-9]{1,5}))?$/.exec(option?.values[0] ?? '')
    const whole = parseIp(option?.values[0] ?? '')
    if (rest.length > 0) return undefined
    if (whole !== undefined) return { kind: 'dnat', address: whole.text }
    const address = parseIp(match?.[1] ?? '')
    if (address === undefined || match?.[2] === undefined) return undefined
    return { kind: 'dnat', address: address.text, port: Number(match[2]) }
  },
  act: ({ address, port }, packet) => {
    const destination = parseIp(address)
    if (destination === undefined) return { kind: 'unknown' }
    const destinationPort = port ?? packet.destinationPort
    return { kind: 'accept', packet: { ...packet, destination, destinationPort, isDnat: true } }
  },
  describe: ({ address, port }) => `gets destination ${port === undefined ? address : joinHostPort(address, port)}`,
})
