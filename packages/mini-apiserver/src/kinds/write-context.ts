// What the rules of a kind may ask of the server while an object is written.

import type { ApiObject } from '../api-object.ts'

/** Where Service addresses and node ports come from. */
export interface ServicePools {
  /** Families of the ranges, first one first. */
  readonly families: readonly ('IPv4' | 'IPv6')[]
  /** Whether the address lies in a range of the server. */
  isInRange(address: string): boolean
  isAddressTaken(address: string): boolean
  /** A free address; the owner is recorded when the Service is stored. */
  freeAddress(family: 'IPv4' | 'IPv6'): string | undefined
  /** The range's own first address, shown by rehearsals. */
  rangeAddress(family: 'IPv4' | 'IPv6'): string
  readonly firstPort: number
  readonly lastPort: number
  /** Whether another Service has the port for that protocol. */
  isPortTaken(port: number, protocol: string): boolean
  freePort(exclude: ReadonlySet<number>): number | undefined
}

/** The circumstances of one write. */
export interface WriteContext {
  readonly nowMs: number
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly isDryRun: boolean
  /** Whether Service addresses and ports outside the ranges are taken as they are. */
  readonly trustsAddresses: boolean
  /** The user who writes. */
  readonly user: string
  /** Stored objects of another resource, by storage name. */
  readonly list: (resource: string) => readonly ApiObject[]
  readonly pools: ServicePools
}
