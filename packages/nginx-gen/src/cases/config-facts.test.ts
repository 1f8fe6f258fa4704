import { describe, expect, it } from 'vitest'
import { checkConfigFacts } from './config-facts.ts'
import type { ConfigSpec } from './ingress-case.ts'

const text = `http {
  proxy_read_timeout 60s;
  proxy_set_header A "x y";
  server { server_name a.example; location = "/cart" { proxy_pass http://u; proxy_set_header B c; } }
  server { server_name b.example c.example; }
}
`

const complaints = (spec: ConfigSpec): readonly string[] =>
  checkConfigFacts(text, spec, false).flatMap(({ complaint }) => complaint ?? [])

describe('facts about a configuration', () => {
  const cart = { server: 'a.example', location: '= /cart' }
  const rows: readonly (readonly [fact: string, right: ConfigSpec, wrong: ConfigSpec])[] = [
    ['a line without quotes', { contains: ['proxy_set_header A x y'] }, { contains: ['proxy_set_header A'] }],
    ['an expression', { contains: ['/^proxy_read_timeout \\d+s$/'] }, { contains: ['/^proxy_send/'] }],
    ['the opening of a block', { contains: ['location = /cart'] }, { contains: ['location /cart'] }],
    ['a line that must not be there', { absent: ['gzip on'] }, { absent: ['proxy_read_timeout 60s'] }],
    ['a directive by name', { absentDirectives: ['alias'] }, { absentDirectives: ['proxy_pass'] }],
    [
      'a directive is no beginning of another',
      { absentDirectives: ['proxy'] },
      { absentDirectives: ['proxy_pass http://u'] },
    ],
    [
      'a line of a block',
      { blocks: [{ ...cart, contains: ['proxy_pass http://u'] }] },
      { blocks: [{ ...cart, contains: ['proxy_pass http://v'] }] },
    ],
    [
      'what a block inherits, unless it has its own',
      { blocks: [{ ...cart, contains: ['proxy_read_timeout 60s'] }] },
      { blocks: [{ ...cart, contains: ['proxy_set_header A x y'] }] },
    ],
    [
      'a block by its first name',
      { blocks: [{ server: 'b.example' }] },
      { blocks: [{ server: 'c.example', contains: ['x'] }] },
    ],
    ['the order of servers', { serverOrder: ['a.example', 'b.example'] }, { serverOrder: ['b.example', 'a.example'] }],
    ['the size', { maxBytes: 1000 }, { maxBytes: 10 }],
  ]
  it.each(rows)('%s', (_, right, wrong) => {
    expect(complaints(right)).toEqual([])
    expect(complaints(wrong)).not.toEqual([])
  })

  it('a text that does not parse fails', () => {
    expect(checkConfigFacts('http {', {}, false).some(({ complaint }) => complaint !== undefined)).toBe(true)
  })
})
