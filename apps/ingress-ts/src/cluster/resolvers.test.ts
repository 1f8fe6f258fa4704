import { describe, expect, it } from 'vitest'
import { resolversOf } from './resolvers.ts'

describe('name servers of resolv.conf', () => {
  it.each([
    [
      'are taken in order, each once',
      'search x.example\nnameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.1\n',
      ['192.0.2.1', '192.0.2.2'],
    ],
    ['of IPv6 stand in brackets', 'nameserver 2001:db8::53', ['[2001:db8::53]']],
    ['with a zone are left out', 'nameserver fe80::1%eth0\n# nameserver 192.0.2.3', []],
    ['are none in an empty file', '', []],
  ] as const)('%s', (_, text, wanted) => {
    expect(resolversOf(text)).toEqual(wanted)
  })
})
