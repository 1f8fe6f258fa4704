import { type Cidr, parseCidr } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { listRanges } from './list-ranges.ts'

describe('a set of ranges as nft lists it', () => {
  it.each([
    ['one prefix stands alone', ['203.0.113.0/24'], '203.0.113.0/24'],
    ['one address stands alone', ['10.0.0.1/32'], '10.0.0.1'],
    ['a prefix inside of another is not seen', ['203.0.113.0/25', '203.0.113.0/24'], '{ 203.0.113.0/24 }'],
    ['halves become a whole', ['203.0.113.0/25', '203.0.113.128/25'], '{ 203.0.113.0/24 }'],
    ['neighbours that are no prefix become a range', ['10.0.0.2/32', '10.0.0.1/32'], '{ 10.0.0.1-10.0.0.2 }'],
    ['others stay apart, in order', ['203.0.113.0/24', '10.0.0.1/32'], '{ 10.0.0.1, 203.0.113.0/24 }'],
    ['the same in IPv6', ['2001:db8::/33', '2001:db8:8000::/33', 'fd00::1/128'], '{ 2001:db8::/32, fd00::1 }'],
  ])('%s', (_what, cidrs, wanted) => {
    expect(listRanges(cidrs.map((text) => parseCidr(text) as Cidr))).toBe(wanted)
  })
})
