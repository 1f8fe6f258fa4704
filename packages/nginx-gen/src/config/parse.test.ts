import { describe, expect, it } from 'vitest'
import { parseConfig } from './parse.ts'
import { type PlainNode, plainTree } from './plain.ts'

const plain = (text: string): readonly PlainNode[] => plainTree(parseConfig(text).value)

describe('reading nginx text', () => {
  const rows: readonly (readonly [what: string, text: string, tree: readonly PlainNode[]])[] = [
    ['quotes of both kinds are gone', `a "b c" 'd e';`, [{ name: 'a', args: ['b c', 'd e'] }]],
    ['a string may span lines', 'a "b\nc";', [{ name: 'a', args: ['b\nc'] }]],
    ['only quotes, backslash, t, r and n are escapes', String.raw`a "\"\\\t\d";`, [{ name: 'a', args: ['"\\\t\\d'] }]],
    ['a quote inside a bare word is part of it', 'a b"c;', [{ name: 'a', args: ['b"c'] }]],
    ['a number sign inside a word is part of it', 'a b#c;', [{ name: 'a', args: ['b#c'] }]],
    ['a number sign at the start of a word begins a comment', 'a b #c;\n d;', [{ name: 'a', args: ['b', 'd'] }]],
    ['a brace after a dollar belongs to the word', 'a ${b}c;', [{ name: 'a', args: ['${b}c'] }]],
    ['a brace ends a bare word', 'a b{c;}', [{ name: 'a', args: ['b'], children: [{ name: 'c', args: [] }] }]],
    ['a condition loses its parentheses', 'if ($a = b) {}', [{ name: 'if', args: ['$a', '=', 'b'], children: [] }]],
    [
      'a condition with a quoted pattern, too',
      'if ( $a ~ "b)" ) {}',
      [{ name: 'if', args: ['$a', '~', 'b)'], children: [] }],
    ],
    [
      'Lua code may hold braces in strings and comments',
      'content_by_lua_block { x = "}" -- }\n y = { [[}]] } }',
      [{ name: 'content_by_lua_block', args: [], code: 'x = "}" -- }\ny = { [[}]] }' }],
    ],
  ]
  it.each(rows)('%s', (_, text, tree) => {
    expect(plain(text)).toEqual(tree)
    expect(parseConfig(text).problems).toEqual([])
  })
})

describe('broken text', () => {
  const rows: readonly (readonly [what: string, text: string, message: string, line: number, column: number])[] = [
    ['a statement that ends the file', 'a b', 'expected ";" or "}", found the end of the file', 1, 1],
    ['a block that ends the file', 'a {\n b;\n', 'expected "}" that closes a, found the end of the file', 1, 1],
    ['an open string', 'a;\nb "c', 'expected the closing quote, found the end of the file', 2, 3],
    ['a brace too many', 'a;\n}', 'unexpected "}"', 2, 1],
    ['a text glued to a string', 'a "b"c;', 'unexpected "c" after a quoted word', 1, 3],
    ['a semicolon alone', ';', 'unexpected ";"', 1, 1],
  ]
  it.each(rows)('%s is a problem with its place', (_, text, message, line, column) => {
    const { problems } = parseConfig(text, 'x.conf')
    expect(problems.map((p) => p.message)).toContain(message)
    const found = problems.find((p) => p.message === message)
    expect(found?.position).toEqual({ file: 'x.conf', line, column })
  })
})

it.each(['\f', '\v', '\u00a0', '\u2028'])('%j is no space to nginx, but a part of a word', (character) => {
  const { value, problems } = parseConfig(`a${character}b ${character};`)
  expect([value, problems]).toMatchObject([[{ kind: 'directive', name: `a${character}b` }], []])
})
