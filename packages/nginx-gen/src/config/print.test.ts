import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Argument,
  block,
  type ConfigTree,
  comment,
  directive,
  interpolated,
  list,
  literal,
  lua,
  regex,
  word,
} from './node.ts'
import { parseConfig } from './parse.ts'
import { plainTree } from './plain.ts'
import { printConfig } from './print.ts'

describe('printing a tree', () => {
  const rows: readonly (readonly [what: string, tree: ConfigTree, text: string])[] = [
    ['words stand bare', [directive('worker_processes', 2)], 'worker_processes 2;\n'],
    ['a text with a space is quoted', [directive('x', literal('a b'))], 'x "a b";\n'],
    ['an empty text is quoted', [directive('x', literal(''))], 'x "";\n'],
    ['quotes and backslashes are escaped', [directive('x', literal('a"\\'))], 'x "a\\"\\\\";\n'],
    ['braces and semicolons cannot end an argument', [directive('x', literal('};{'))], 'x "};{";\n'],
    ['a line break is written as an escape', [directive('x', literal('a\nb'))], 'x "a\\nb";\n'],
    ['a number sign at the start is quoted', [directive('x', literal('#a'))], 'x "#a";\n'],
    [
      'a literal dollar is spelled by its variable where variables expand',
      [directive('return', 200, literal('$uri'))],
      'return 200 "${literal_dollar}uri";\n'.replaceAll('"', ''),
    ],
    ['a literal dollar stays itself in a location', [block('location', [literal('/$x')], [])], 'location /$x {\n}\n'],
    ['a variable in braces stays bare', [directive('set', '$a', interpolated('${b}c'))], 'set $a ${b}c;\n'],
    ['a pattern keeps its dollar', [directive('rewrite', regex('^/a$'), '/b')], 'rewrite ^/a$ /b;\n'],
    [
      'parts of a list form one argument',
      [directive('x', list('', 'X: ', literal('$')))],
      'x "X: ${literal_dollar}";\n',
    ],
    ['a condition has its parentheses', [block('if', ['$uri', '=', '/'], [])], 'if ($uri = /) {\n}\n'],
    [
      'a name is quoted where it is a key',
      [block('map', ['$a', '$b'], [directive('x y', 1)])],
      'map $a $b {\n  "x y" 1;\n}\n',
    ],
    ['a comment cannot end early', [comment('a\nload_module x;')], '# a load_module x;\n'],
    ['Lua code is indented', [lua('content_by_lua_block', 'a()\nb()')], 'content_by_lua_block {\n  a()\n  b()\n}\n'],
  ]
  it.each(rows)('%s', (_, tree, text) => {
    expect(printConfig(tree)).toBe(text)
  })
})

describe('round trip', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((s) => s.replaceAll('\0', ''))
  const nasty = fc.oneof(text, fc.string({ unit: fc.constantFrom(...'{};"\'\\$# \n\t\r()a'), maxLength: 12 }))
  const part = fc.oneof(nasty.map(literal), nasty.map(interpolated), nasty.map(regex), fc.constant(word('on')))
  const argument: fc.Arbitrary<Argument> = fc.oneof(
    part,
    fc.array(part, { minLength: 1, maxLength: 3 }).map((items) => list('', ...items)),
  )
  const args = fc.array(argument, { maxLength: 4 })
  const name = fc.constantFrom('proxy_set_header', 'location', 'map', 'server', 'set', 'unknown_thing')
  const { tree } = fc.letrec<{ tree: ConfigTree; node: ConfigTree[number] }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(name, args).map(([n, a]) => directive(n, ...a)),
      fc.tuple(name, args, tie('tree')).map(([n, a, c]) => block(n, a, c)),
    ),
    tree: fc.array(tie('node'), { maxLength: 4 }),
  }))

  it('a printed tree is read back with the same names and arguments, whatever the arguments hold', {
    timeout: 30_000,
  }, () => {
    fc.assert(
      fc.property(tree, (wanted) => {
        const { value, problems } = parseConfig(printConfig(wanted))
        expect(problems).toEqual([])
        expect(plainTree(value)).toEqual(plainTree(wanted))
      }),
      { numRuns: 500 },
    )
  })

  it('a parsed text is printed to itself', () => {
    const file =
      'events {\n}\nhttp {\n\n  server {\n    listen 80;\n    location ~* "^/a{2}" {\n      return 200 "a b";\n    }\n  }\n}\n'
    expect(printConfig(parseConfig(file).value)).toBe(file)
  })
})
