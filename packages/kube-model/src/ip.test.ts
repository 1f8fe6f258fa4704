import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cidrOf,
  compareIp,
  contains,
  familyOf,
  type Ip,
  ipOf,
  joinHostPort,
  parseCidr,
  parseIp,
  parseIpSloppy,
} from './ip.ts'

const ip = (text: string): Ip => {
  const parsed = parseIp(text)
  if (!parsed) throw new Error(`${text} does not parse`)
  return parsed
}

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8::0:1', '2001:db8::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:db8:1:1:1:1:0:1', '2001:db8:1:1:1:1:0:1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('%s is written %s', (text, canonical) => expect(parseIp(text)?.text).toBe(canonical))

  it.each([
    '',
    ' ',
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    '192.0.02.1',
    '192.0.2.-1',
    '192.0.2.1 ',
    '0x7f.0.0.1',
    '192.0.2.1/24',
    'fe80::1%eth0',
    '2001:db8::1::1',
    '2001:db8',
    ':1',
    '12345::',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    'example.org',
    '1:2:3:4:5:6:7:8:9',
  ])('%j is refused, as the API server refuses it', (text) => expect(parseIp(text)).toBeUndefined())

  it.each([
    ['010.000.002.001', '10.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['192.0.2', undefined],
    ['256.0.0.1', undefined],
  ])('%s read leniently is %s', (text, canonical) => expect(parseIpSloppy(text)?.text).toBe(canonical))

  it('parses back what it prints', () => {
    const address = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value) => ipOf(4, value)),
      fc
        .bigInt({ min: 0n, max: 2n ** 128n - 1n })
        .filter((value) => value >> 32n !== 0xffffn)
        .map((value) => ipOf(6, value)),
    )
    fc.assert(
      fc.property(address, (one) => {
        expect(parseIp(one.text)).toEqual(one)
      }),
    )
  })

  it('orders IPv4 before IPv6, then by bits', () => {
    const sorted = ['2001:db8::1', '192.0.2.10', '::1', '192.0.2.9'].map(ip).sort(compareIp)
    expect(sorted.map(({ text }) => text)).toEqual(['192.0.2.9', '192.0.2.10', '::1', '2001:db8::1'])
  })
})

describe('a prefix', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
    ['192.0.2.77/24', '192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
    ['0.0.0.0/0', '0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['192.0.2.1/32', '192.0.2.1/32', '192.0.2.1', '192.0.2.1'],
    ['2001:DB8::7/64', '2001:db8::/64', '2001:db8::', '2001:db8::ffff:ffff:ffff:ffff'],
    ['::/0', '::/0', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s is %s, from %s to %s', (text, canonical, first, last) => {
    const cidr = parseCidr(text)
    if (!cidr) throw new Error('does not parse')
    expect([cidr.text, ipOf(cidr.family, cidr.first).text, ipOf(cidr.family, cidr.last).text]).toEqual([
      canonical,
      first,
      last,
    ])
    expect(cidr.address.text).toBe(parseIp(text.slice(0, text.indexOf('/')))?.text)
  })

  it.each([
    '192.0.2.0',
    '192.0.2.0/',
    '192.0.2.0/33',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '192.0.2.0/a',
    '2001:db8::/129',
    '/24',
    '192.0.2.0/24/8',
    '::ffff:192.0.2.0/120',
  ])('%j is none', (text) => expect(parseCidr(text)).toBeUndefined())

  it.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
  ])('%s contains %s: %s', (cidr, address, holds) => {
    const parsed = parseCidr(cidr)
    expect(parsed && contains(parsed, ip(address))).toBe(holds)
  })

  it('holds exactly the addresses that share its bits', () => {
    const value = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n })
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 32 }), (a, b, bits) => {
        const shared = BigInt(32 - bits)
        expect(contains(cidrOf(ipOf(4, a), bits), ipOf(4, b))).toBe(a >> shared === b >> shared)
      }),
    )
  })
})

it('a family is told by the spelling, and a port is joined by it', () => {
  expect([familyOf('192.0.2.1'), familyOf('::1')]).toEqual([4, 6])
  expect([joinHostPort('192.0.2.1', 80), joinHostPort('2001:db8::1', '443')]).toEqual([
    '192.0.2.1:80',
    '[2001:db8::1]:443',
  ])
})
