// What a name stands for before a type is chosen: addresses with ports, or another name; or nothing, in two ways.

import type { Name } from '../name.ts'
import type { RecordFamily } from './go-ip.ts'

/** One pair of host and port under a name. */
export interface Entry {
  /** Address text, or the external name. */
  readonly host: string
  readonly family: RecordFamily
  readonly port: number
  /** The name that SRV records point at; letters of the zone as asked. */
  readonly target: Name
}

/** `missing` is NXDOMAIN; `entries` without entries is NODATA. */
export type Found = { readonly kind: 'entries'; readonly entries: readonly Entry[] } | { readonly kind: 'missing' }

/** The name does not exist. */
export const missing: Found = { kind: 'missing' }

/** The name exists and has nothing. */
export const nothing: Found = { kind: 'entries', entries: [] }

/** These entries, or a name that does not exist when there are none. */
export function foundOrMissing(entries: readonly Entry[]): Found {
  return entries.length === 0 ? missing : { kind: 'entries', entries }
}
