// A 128-bit content hash for names of files, zones and locations: derived names are hashes, never a user's text.
// Not a defence against somebody who searches collisions in their own objects: what is hashed always includes the
// namespace and name of the object, so that a collision could only hit its author.

/** 32 hex digits that depend on every character of `text` (four rounds of cyrb53 with different seeds). */
export function hashText(text: string): string {
  return [0, 1, 2, 3].map((seed) => cyrb32(text, seed)).join('')
}

function cyrb32(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return ((low ^ high) >>> 0).toString(16).padStart(8, '0')
}
