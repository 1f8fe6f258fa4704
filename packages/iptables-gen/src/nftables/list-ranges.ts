// How nft lists an anonymous set of address ranges: what overlaps or touches is one range, and a set of one element that
// was one from the start has no braces. Measured with nft 1.0.6.

import { type Cidr, compareIp, familyBits, type IpFamily, ipOf } from '@kubewire/kube-model'

interface Range {
  readonly first: bigint
  readonly last: bigint
}

/** The set in words: `10.0.0.1`, or `{ 10.0.0.0/29, 10.0.1.0-10.0.1.4 }`. */
export function listRanges(cidrs: readonly Cidr[]): string {
  const family = cidrs[0]?.family ?? 4
  const merged = mergeRanges(cidrs).map((range) => printRange(range, family))
  return cidrs.length === 1 ? merged.join() : `{ ${merged.join(', ')} }`
}

function mergeRanges(cidrs: readonly Cidr[]): readonly Range[] {
  const merged: Range[] = []
  const ordered = cidrs.toSorted((a, b) =>
    compareIp({ ...a.address, value: a.first }, { ...b.address, value: b.first }),
  )
  for (const { first, last } of ordered) {
    const before = merged.at(-1)
    if (before === undefined || first > before.last + 1n) merged.push({ first, last })
    else if (last > before.last) merged[merged.length - 1] = { first: before.first, last }
  }
  return merged
}

function printRange({ first, last }: Range, family: IpFamily): string {
  const size = last - first + 1n
  const isPrefix = (size & (size - 1n)) === 0n && first % size === 0n
  const start = ipOf(family, first).text
  if (!isPrefix) return `${start}-${ipOf(family, last).text}`
  const bits = familyBits(family) - (size.toString(2).length - 1)
  return size === 1n ? start : `${start}/${bits}`
}
