// The server around its plugins: exceptions, the choice of the block, views.

import { describe, expect, it } from 'vitest'
import { createDnsServer } from './dns-server.ts'
import { plainPorts } from './plain-ports.ts'
import type { AnyPluginDefinition, MetricsPort, Plugin } from './plugin.ts'
import { askServer, testServer } from './testing/ask-corefile.ts'

/** A server of one block `.` whose only plugin, beside those named, is this one. */
function serverOf(plugin: Plugin, others: readonly string[], seen: string[]) {
  const definition = (name: string, created: Plugin): AnyPluginDefinition => ({
    name,
    summary: '',
    syntax: '',
    args: { min: 0, max: 0 },
    properties: {},
    configure: () => null,
    create: () => created,
  })
  const key = { scheme: 'dns', zone: '.', port: 53 } as const
  const facts = { zones: ['.'], keys: [key], directives: [], root: '', defaultPort: 53 }
  const plugins = [...others.map((name) => definition(name, {})), definition('faulty', plugin)]
  const plan = { facts, plugins: plugins.map((one) => ({ definition: one, config: null })), bind: [], source: [] }
  const metrics: MetricsPort = {
    ...plainPorts().metrics,
    add: (name) => void seen.push(name),
  }
  return createDnsServer([plan], { ...plainPorts(), metrics, log: (level, text) => void seen.push(`${level} ${text}`) })
}

describe('an exception in a plugin', () => {
  const faulty: readonly (readonly [name: string, plugin: Plugin])[] = [
    [
      'at once',
      {
        handle: () => {
          throw new Error('boom')
        },
      },
    ],
    ['later', { handle: () => Promise.reject(new Error('boom')) }],
  ]

  it.each(faulty)('%s: the question fails, the panic counts, the server goes on', async (_name, plugin) => {
    const seen: string[] = []
    const server = serverOf(plugin, [], seen)
    expect(await askServer(server, 'a.example. A')).toBe('SERVFAIL')
    expect(await askServer(server, 'b.example. A')).toBe('SERVFAIL')
    expect(seen).toEqual(
      Array.from({ length: 2 }, () => [
        'coredns_panics_total',
        'error Recovered from panic in server: "dns://:53" boom',
      ]).flat(),
    )
  })

  it.each(faulty)('%s: goes up when the block is debugged', async (_name, plugin) => {
    const server = serverOf(plugin, ['debug'], [])
    await expect(async () => await askServer(server, 'a.example. A')).rejects.toThrow('boom')
  })
})

describe('the block of a question', () => {
  const server = testServer(`
org:53 {
  hosts /none {
    192.0.2.1 a.b.org
  }
}
b.org:53 {
  view six {
    expr incidr(client_ip(), '2001:db8::/32')
  }
  hosts /none {
    192.0.2.6 a.b.org
  }
}
b.org:53 {
  hosts /none {
    192.0.2.2 a.b.org
  }
}`)
  // The first listener holds all three blocks.
  it.each([
    ['is that of the longest zone', 'a.b.org. A', {}, 'NOERROR aa | a.b.org. 3600 A 192.0.2.2'],
    [
      'is the first that admits the question',
      'a.b.org. A',
      { client: { address: '2001:db8::1', port: 53000 } },
      'NOERROR aa | a.b.org. 3600 A 192.0.2.6',
    ],
    ['is the parent for DS', 'a.b.org. DS', {}, 'NOERROR aa'],
    ['is none for names of nobody', 'example.net. A', {}, 'REFUSED'],
  ] as const)('%s', async (_name, question, extra, expected) => {
    expect(await askServer(server, question, extra)).toBe(expected)
  })
})

describe('a DS question to the root', () => {
  const server = testServer(`.:53 {
  view everybody {
    expr true
  }
  template ANY ANY {
    rcode NOTAUTH
  }
}
.:53 {
  template ANY ANY {
    rcode REFUSED
  }
}`)

  it.each([
    ['is for the last block of the root', '. DS', 'REFUSED aa'],
    ['of another type is for the first', '. NS', 'NOTAUTH aa'],
    ['of a name under it, too', 'a.example. DS', 'NOTAUTH aa'],
  ])('%s', async (_name, question, expected) => {
    expect(await askServer(server, question)).toContain(expected)
  })
})

it.each([
  [
    'is sent to those who sent an OPT record',
    { edns: { udpSize: 512, version: 0, dnssecOk: false, options: [] } },
    'BADCOOKIE aa',
  ],
  ['is not sent to others, as there is no room for it', {}, 'no reply'],
])('a code over 15 %s', async (_name, extra, reply) => {
  const server = testServer('.:53 {\ntemplate ANY ANY {\n rcode BADCOOKIE\n}\n}')
  expect(await askServer(server, 'a.example. A', extra)).toBe(reply)
})

it('tells of every question that the server asked itself, and of the plugin that answered', async () => {
  const told: string[] = []
  const server = testServer(
    '.:53 {\ntemplate IN A a.example {\n answer "{{ .Name }} 60 IN CNAME b.example."\n}\nhosts /dev/null {\n 192.0.2.1 b.example\n}\n}',
    { ports: { askedItself: ({ name }, { zone }, { plugin }) => void told.push(`${name} ${zone} ${plugin}`) } },
  )
  await askServer(server, 'a.example. A')
  expect(told).toEqual(['b.example. . hosts'])
})
