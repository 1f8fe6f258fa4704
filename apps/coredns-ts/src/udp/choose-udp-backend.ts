// Which UDP back end serves, by `--udp-backend` and by what is there.

import { createBatchedBackend } from './batched-backend.ts'
import { dgramBackend } from './dgram-backend.ts'
import { loadLibc } from './libc.ts'
import type { UdpBackend } from './udp-backend.ts'

/**
 * The back end of a name: `dgram`, `batched`, or `auto`, which is batched where that is possible. Throws an Error in one
 * line where it is not, and for any other name.
 */
export function chooseUdpBackend(name: string): UdpBackend {
  if (name === 'dgram') return dgramBackend
  if (name !== 'auto' && name !== 'batched') {
    throw new Error(`invalid value "${name}" for flag -udp-backend: expected auto, dgram or batched`)
  }
  try {
    return createBatchedBackend(loadLibc())
  } catch (cause) {
    if (name === 'auto') return dgramBackend
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`-udp-backend batched is not possible: ${reason}`, { cause })
  }
}
