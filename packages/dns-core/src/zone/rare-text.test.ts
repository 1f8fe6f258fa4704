// Text of rare record types, there and back, and what is refused or printed in the generic form.

import { describe, expect, it } from 'vitest'
import { decodeMessage } from '../wire/decode-message.ts'
import { parseRecord } from './parse-record.ts'
import { printRecord } from './print-record.ts'

const hex32 = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF'

const kept: readonly string[] = [
  `a.example. 60 IN DS 12345 8 2 ${hex32}`,
  `a.example. 60 IN CDS 0 0 0 00`,
  'a.example. 60 IN DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  'a.example. 60 IN CDNSKEY 256 3 8 AwEAAQ==',
  'a.example. 60 IN RRSIG A 13 2 60 20260201000000 20260101000000 12345 example. c2lnbmF0dXJl',
  'a.example. 60 IN NSEC b.example. A MX RRSIG NSEC TYPE1234',
  'a.example. 60 IN NSEC . A',
  'a.example. 60 IN NSEC3 1 1 12 AABBCCDD 2VPTU5TIMAMQTTGL4LUU9KG21E0AOR3S A RRSIG HTTPS',
  'a.example. 60 IN NSEC3 1 0 0 - 2VPTU5TIMAMQTTGL4LUU9KG21E0AOR3S',
  `a.example. 60 IN SSHFP 4 2 ${hex32}`,
  'a.example. 60 IN SSHFP 1 1 00112233445566778899AABBCCDDEEFF00112233',
  `_443._tcp.a.example. 60 IN TLSA 3 1 1 ${hex32}`,
  `a.example. 60 IN SMIMEA 3 0 0 3082`,
  'a.example. 60 IN RP john\\.doe.example. txt.a.example.',
  'a.example. 60 IN RP . .',
  'a.example. 60 IN CAA 0 issue "ca.example; policy=ev"',
  'a.example. 60 IN CAA 128 iodef "mailto:\\"me\\"@example.org"',
  'a.example. 60 IN HTTPS 1 . alpn="h2,h3" port="8443" ipv4hint="192.0.2.1,192.0.2.2" ipv6hint="2001:db8::1"',
  'a.example. 60 IN HTTPS 0 b.example.',
  'a.example. 60 IN SVCB 16 b.example. mandatory="alpn" alpn="dot" no-default-alpn dohpath="/q{?dns}" key667="x\\"y"',
  'a.example. 60 IN LOC 52 22 23.000 N 04 53 32.000 E -2m 0m 10000m 10m',
  'a.example. 60 IN LOC 42 21 54.500 S 71 06 18.000 W 24.50m 30m 10000m 10m',
  'a.example. 60 IN URI 10 1 "https://example.org/\\"x"',
  'a.example. 60 IN AFSDB 1 b.example.',
  'a.example. 60 IN KX 10 b.example.',
  'a.example. 60 IN CERT 1 12345 8 AwEAAQ==',
  'a.example. 60 IN OPENPGPKEY AwEAAQ==',
  'a.example. 60 IN MINFO b.example. c.example.',
  'a.example. 60 IN NSEC3PARAM 1 0 12 AABBCCDD',
  'a.example. 60 IN NSEC3PARAM 1 0 0 -',
  'a.example. 60 IN TYPE65280 \\# 3 010203',
]

describe('text of a rare record', () => {
  it.each(kept)('comes back as it was: %s', (text) => {
    expect(textOf(text)).toBe(text)
  })

  it.each([
    ['digits of a key over several words', 'a. 60 IN DNSKEY 257 3 8 AwE AAQ==', 'a. 60 IN DNSKEY 257 3 8 AwEAAQ=='],
    ['hexadecimal digits in lower case', 'a. 60 IN DS 1 8 2 ab cd', 'a. 60 IN DS 1 8 2 ABCD'],
    [
      'times in seconds',
      'a. 60 IN RRSIG A 8 1 60 0 1 5 a. AAAA',
      'a. 60 IN RRSIG A 8 1 60 19700101000000 19700101000001 5 a. AAAA',
    ],
    ['the generic form of a type that has text', 'a. 60 IN DS \\# 5 0001080201', 'a. 60 IN DS 1 8 2 01'],
    ['a value of CAA beyond ASCII', 'a. 60 IN CAA 0 issue "é"', 'a. 60 IN CAA 0 issue "\\195\\169"'],
  ])('takes %s', (_name, text, printed) => {
    expect(textOf(text)).toBe(printed)
  })

  it.each([
    ['a number that does not fit its bits', 'a. 60 IN DS 65536 8 2 00'],
    ['no digest', 'a. 60 IN DS 1 8 2'],
    ['half a byte', 'a. 60 IN TLSA 3 1 1 123'],
    ['a key of another protocol', 'a. 60 IN DNSKEY 257 2 8 AwEAAQ=='],
    ['a fingerprint of the wrong length', 'a. 60 IN SSHFP 1 1 0011'],
    ['an unknown type in a list of types', 'a. 60 IN NSEC b. A NONSENSE'],
    ['a tag with other characters than letters and digits', 'a. 60 IN CAA 0 is-sue "x"'],
    ['a label of 64 bytes', `a. 60 IN NSEC ${'x'.repeat(64)}. A`],
    ['a parameter that is there twice', 'a. 60 IN HTTPS 1 . port=1 port=2'],
    ['a parameter without a name', 'a. 60 IN HTTPS 1 . unknown=1'],
    ['an address of the other family', 'a. 60 IN HTTPS 1 . ipv4hint=2001:db8::1'],
    ['an angle that is too large', 'a. 60 IN LOC 91 0 0 N 0 0 0 E 0m'],
    ['a size that no number holds', `a. 60 IN LOC 1 0 0 N 0 0 0 E 0m ${'9'.repeat(400)}m`],
    ['an altitude above what 32 bits hold', 'a. 60 IN LOC 1 0 0 N 0 0 0 E 42849673m'],
    ['an altitude below the reference', 'a. 60 IN LOC 1 0 0 N 0 0 0 E -100001m'],
    ['a location without a direction', 'a. 60 IN LOC 52 22 23 4 53 32 E 0m'],
    ['words behind the last field', 'a. 60 IN KX 10 b. c.'],
    ['a date that is none', 'a. 60 IN RRSIG A 8 1 60 20261341000000 1 5 a. AAAA'],
  ])('refuses %s', (_name, text) => {
    expect(parseRecord(text)).toHaveProperty('error')
  })

  it.each([
    [
      'a dot inside a label of the next name',
      'a. 60 IN NSEC \\# 8 03612e6200000140',
      'a. 60 IN NSEC \\# 8 03612e6200000140',
    ],
    ['a byte beyond ASCII in a name', 'a. 60 IN NSEC \\# 6 01ff00000140', 'a. 60 IN NSEC \\# 6 01ff00000140'],
    ['data that ends too early', 'a. 60 IN TLSA \\# 2 0301', 'a. 60 IN TLSA \\# 2 0301'],
    ['a fingerprint of a newer hash', 'a. 60 IN SSHFP \\# 4 04030102', 'a. 60 IN SSHFP \\# 4 04030102'],
  ])('prints the generic form for %s', (_name, text, printed) => {
    expect(textOf(text)).toBe(printed)
  })
})

describe('names inside data of an upstream', () => {
  it('are written out where they point into its message', () => {
    const header = '000080000001000100000000'
    const question = '01610765 78616d706c6500 0011 0001'
    const answer = 'c00c 0011 0001 0000003c 0007 04 6d61696c c00e c00c'.replace('0007', '0009')
    const message = decodeMessage(Buffer.from(`${header}${question}${answer}`.replaceAll(' ', ''), 'hex'))
    expect(message?.answer.map((record) => printRecord(record))).toEqual([
      'a.example. 60 IN RP mail.example. a.example.',
    ])
  })
})

function textOf(text: string): string {
  const parsed = parseRecord(text)
  if ('error' in parsed) expect.fail(parsed.error)
  return printRecord(parsed.record)
}
