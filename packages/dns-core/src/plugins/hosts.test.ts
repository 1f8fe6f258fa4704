import { describe, expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

const corefile = `. {
  hosts hostsfile {
    192.0.2.1 a.star.example
    192.0.2.1 a.star.example
    192.0.2.2 *.star.example
    2001:db8::3 six.star.example
    fallthrough
  }
}`
const file = '192.0.2.9 *.star.example b.example # c.example\n192.0.2.8 a.star.example\n'
const server = testServer(corefile, { files: { '/etc/hostsfile': file } })

describe('hosts', () => {
  it.each([
    [
      'a line that stands twice is answered twice, the file first',
      'a.star.example. A',
      /192\.0\.2\.8.*192\.0\.2\.1.*192\.0\.2\.1/s,
    ],
    ['a wildcard of the Corefile steps in beside one of the file', 'x.star.example. A', /192\.0\.2\.9.*192\.0\.2\.2/s],
    ['a wildcard steps in for the family that the name lacks', 'six.star.example. A', /192\.0\.2\.9/],
    ['a wildcard covers one label', 'y.x.star.example. A', /SERVFAIL/],
    ['a name has its reverse name', '8.2.0.192.in-addr.arpa. PTR', /a\.star\.example/],
    ['a wildcard has none', '2.2.0.192.in-addr.arpa. PTR', /^SERVFAIL/],
    ['a comment ends the line', 'c.example. A', /SERVFAIL/],
  ])('%s', async (_, question, wanted) => {
    expect(await askServer(server, question)).toMatch(wanted)
  })
})
