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
