// The packet that a simulation follows, and what the machine around it is known to be.

import { type Cidr, contains, type Ip, type IpFamily } from '@kubewire/kube-model'

/** The first packet of a connection, as it enters the machine. */
export interface Packet {
  /** `local`: sent by a process of this machine (OUTPUT); `arriving`: comes in on an interface (PREROUTING). */
  readonly entry: 'local' | 'arriving'
  /** Lower case: `tcp`, `udp`, `sctp`, `icmp`, … */
  readonly protocol: string
  readonly source: Ip
  readonly destination: Ip
  readonly sourcePort?: number
  readonly destinationPort?: number
  /** Interface of an arriving packet; unknown matches follow both ways when it is absent. */
  readonly inInterface?: string
  readonly outInterface?: string
  /** 32 bits; 0 unless given. */
  readonly mark?: number
  /** State in connection tracking; NEW unless given. */
  readonly connection?: 'NEW' | 'ESTABLISHED' | 'RELATED' | 'INVALID'
}

/** What is known about the machine, beyond its rules. */
export interface Machine {
  /** Prefixes whose addresses are local, 127.0.0.0/8 or ::1 included. */
  readonly localAddresses: readonly Cidr[]
  /** `recent` lists that hold the source address already, by name. */
  readonly recentLists?: ReadonlySet<string>
}

/** A packet on its way: what rules have changed so far. */
export interface PacketState {
  readonly family: IpFamily
  readonly protocol: string
  readonly source: Ip
  readonly destination: Ip
  readonly sourcePort: number | undefined
  readonly destinationPort: number | undefined
  readonly inInterface: string | undefined
  readonly outInterface: string | undefined
  readonly mark: number
  readonly connection: 'NEW' | 'ESTABLISHED' | 'RELATED' | 'INVALID'
  /** The destination was translated. */
  readonly isDnat: boolean
  /** The source will be translated. */
  readonly isSnat: boolean
  readonly machine: Machine
  /** The built-in chain being walked: decides which interface exists. */
  readonly hook: string
}

/** The state in which a packet enters. */
export function enterPacket(packet: Packet, machine: Machine): PacketState {
  return {
    family: packet.destination.family,
    protocol: packet.protocol.toLowerCase(),
    source: packet.source,
    destination: packet.destination,
    sourcePort: packet.sourcePort,
    destinationPort: packet.destinationPort,
    inInterface: packet.inInterface,
    outInterface: packet.outInterface,
    mark: packet.mark ?? 0,
    connection: packet.connection ?? 'NEW',
    isDnat: false,
    isSnat: false,
    machine,
    hook: '',
  }
}

/** Whether an address belongs to the machine. */
export function isLocalAddress(machine: Machine, ip: Ip): boolean {
  return machine.localAddresses.some((cidr) => contains(cidr, ip))
}
