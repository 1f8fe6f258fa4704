// Names inside data that we otherwise pass on as bytes. Upstreams may have shortened them by pointers into their own
// message (RFC 3597 §4), so they are written out before the bytes leave it.

import { writeName } from './compress.ts'
import { readName } from './reader.ts'

/** By type: how many bytes stand before the names, and how many names there are. */
const layouts: ReadonlyMap<number, { readonly before: number; readonly names: number }> = new Map([
  [3, { before: 0, names: 1 }], // MD
  [4, { before: 0, names: 1 }], // MF
  [7, { before: 0, names: 1 }], // MB
  [8, { before: 0, names: 1 }], // MG
  [9, { before: 0, names: 1 }], // MR
  [14, { before: 0, names: 2 }], // MINFO
  [17, { before: 0, names: 2 }], // RP
  [18, { before: 2, names: 1 }], // AFSDB
  [21, { before: 2, names: 1 }], // RT
  [24, { before: 18, names: 1 }], // SIG
  [26, { before: 2, names: 2 }], // PX
  [36, { before: 2, names: 1 }], // KX
  [46, { before: 18, names: 1 }], // RRSIG
  [47, { before: 0, names: 1 }], // NSEC
])

const maxNameBytes = 255

/** The data between `start` and `end` with its names in full; `undefined` when one of them is malformed. */
export function copyData(bytes: Uint8Array, start: number, end: number, type: number): Uint8Array | undefined {
  const layout = layouts.get(type)
  if (layout === undefined) return bytes.slice(start, end)
  if (start + layout.before > end) return undefined
  const out = new Uint8Array(end - start + layout.names * maxNameBytes)
  out.set(bytes.subarray(start, start + layout.before))
  let [from, to] = [start + layout.before, layout.before]
  for (let i = 0; i < layout.names; i++) {
    const read = readName(bytes, from)
    if (read === undefined || read.end > end) return undefined
    to = writeName(out, to, out.length, read.name, undefined, false)
    if (to < 0) return undefined
    from = read.end
  }
  out.set(bytes.subarray(from, end), to)
  return out.slice(0, to + end - from)
}
