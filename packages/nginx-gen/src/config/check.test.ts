import { describe, expect, it } from 'vitest'
import { checkConfig } from './check.ts'
import { block, directive, interpolated, literal, lua, withOrigin } from './node.ts'

const inServer = (...children: Parameters<typeof block>[2]) => [block('http', [], [block('server', [], children)])]

describe('what nginx would refuse', () => {
  const rows: readonly (readonly [
    what: string,
    tree: Parameters<typeof checkConfig>[0],
    message: string | undefined,
  ])[] = [
    ['a directive in its place', inServer(directive('server_name', 'a.example')), undefined],
    ['an unknown directive', inServer(directive('http3', 'on')), 'unknown directive "http3"'],
    [
      'a directive elsewhere',
      inServer(directive('worker_processes', 1)),
      'directive worker_processes is not allowed in server',
    ],
    ['too few arguments', inServer(directive('set', '$a')), 'directive set does not take 1 arguments'],
    ['another word than on or off', inServer(directive('etag', 'yes')), 'directive etag takes "on" or "off"'],
    ['a block without one', inServer(directive('location', '/')), 'directive location needs a block'],
    [
      'a dollar that names nothing',
      inServer(directive('add_header', 'A', interpolated('$('))),
      'invalid variable name in "$("',
    ],
    ['a dollar that is only text', inServer(directive('add_header', 'A', literal('$('))), undefined],
    [
      'an argument longer than the buffer',
      inServer(directive('set', '$a', literal('x'.repeat(4096)))),
      'argument of set is longer than nginx reads (4 KiB)',
    ],
    ['keys of a map', [block('http', [], [block('map', ['$a', '$b'], [directive('any key', 1)])])], undefined],
    [
      'a server line of an upstream',
      [block('http', [], [block('upstream', ['u'], [directive('server', '192.0.2.1')])])],
      undefined,
    ],
    [
      'Lua in the wrong block',
      inServer(lua('init_by_lua_block', '')),
      'directive init_by_lua_block is not allowed in server',
    ],
  ]
  it.each(rows)('%s', (_, tree, message) => {
    expect(checkConfig(tree).map((p) => p.message)).toEqual(message === undefined ? [] : [message])
  })

  it('names the object that the directive comes from', () => {
    const object = { kind: 'Ingress', namespace: 'shop', name: 'tea' }
    const tree = inServer(withOrigin(directive('nonsense'), { object, path: 'metadata.annotations' }))
    expect(checkConfig(tree)[0]).toMatchObject({ object, path: 'metadata.annotations' })
    const inside = inServer(
      withOrigin(block('location', ['/'], [directive('nonsense')]), { object, path: 'spec.rules[0]' }),
    )
    expect(checkConfig(inside)[0]).toMatchObject({ object, path: 'spec.rules[0]' })
  })
})
