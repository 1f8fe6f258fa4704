// Addresses in records, where their spelling decides.

import { expect, it } from 'vitest'
import { parseRecord } from './parse-record.ts'
import { printRecord } from './print-record.ts'

it.each([
  ['A', '192.0.2.1', 'a.example. 60 IN A 192.0.2.1'],
  ['AAAA', '2001:DB8:0::1', 'a.example. 60 IN AAAA 2001:db8::1'],
  ['AAAA', '::ffff:192.0.2.1', 'a.example. 60 IN AAAA ::ffff:192.0.2.1'],
  ['A', '::ffff:192.0.2.1', 'refused'],
  ['A', '192.0.2.1 192.0.2.2', 'refused'],
  ['AAAA', '192.0.2.1', 'refused'],
])('%s %s: %s', (type, address, expected) => {
  const parsed = parseRecord(`a.example. 60 IN ${type} ${address}`)
  expect('error' in parsed ? 'refused' : printRecord(parsed.record)).toBe(expected)
})

it.each([
  ['a word where a TTL should stand', 'a. x IN A 192.0.2.1', 'not a TTL: "x" at 1:5'],
  [
    'a word behind the TTL that is neither class nor type',
    'a. 60 x A 192.0.2.1',
    /^expecting RR type or class, not this.../,
  ],
  ['a type that nobody knows', 'a. 60 IN FOO 1', /^unknown RR type: "FOO"/],
  ['a TTL beside another', 'a. 60 60 IN A 192.0.2.1', /^expecting RR type or class/],
  ['words behind the data', 'a. 60 IN NS b. c.', /^garbage after rdata: "c\."/],
  ['an open quote', 'a. 60 IN TXT "b', /^bad TXT data/],
  ['an address of three bytes', 'a. 60 IN A \\# 3 010203', /^bad A A/],
  ['a text that is longer than its bytes', 'a. 60 IN TXT \\# 4 05616263', /^bad TXT/],
])('refuses %s', (_name, text, wanted) => {
  const parsed = parseRecord(text)
  expect('error' in parsed ? `${parsed.error} at ${parsed.place}` : 'taken').toMatch(wanted)
})

it('takes times of an SOA that are not there as 0', () => {
  const parsed = parseRecord('a. 60 IN SOA b. c. 1 2 3')
  expect('record' in parsed && printRecord(parsed.record)).toBe('a. 60 IN SOA b. c. 1 2 3 0 0')
})
