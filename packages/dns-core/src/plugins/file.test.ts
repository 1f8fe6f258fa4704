// When a zone file keeps the server from starting, and what a later change of the file does.

import { describe, expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

const soa = '@ 60 IN SOA ns admin 1 2 3 4 5\n'
const startErrors = (lines: string, files: { readonly [path: string]: string }): readonly (string | undefined)[] =>
  testServer(`.:53 {\n${lines}\n}`, { files }).blocks.flatMap(({ plugins }) => plugins.map((p) => p.plugin.startError))

describe('the start of a server with a zone file', () => {
  it.each([
    ['succeeds with a zone', 'file db example.org', soa, undefined],
    [
      'fails with a record that does not parse',
      'file db example.org',
      `${soa}a A 192.0.2\n`,
      'failed to parse file "/etc/db" for origin example.org. with error /etc/db: dns: bad A A: "192.0.2" at line: 2:11',
    ],
    [
      'fails without SOA',
      'file db example.org',
      'a 60 A 192.0.2.1\n',
      'file "/etc/db" has no SOA record for origin example.org.',
    ],
    [
      'fails with NSEC3, which the file plugin does not serve',
      'file db example.org',
      `${soa}a NSEC3 1 0 0 - 2VPTU5TIMAMQTTGL4LUU9KG21E0AOR3S A\n`,
      'NSEC3 zone is not supported, dropping RR: a.example.org. for zone: example.org.',
    ],
    ['succeeds without the file, which may still come', 'file nodb example.org', soa, undefined],
    [
      'fails without the file when nobody looks for it again',
      'file nodb example.org {\nreload 0\n}',
      soa,
      'plugin/file: open /etc/nodb: no such file or directory',
    ],
  ])('%s', (_name, lines, text, expected) => {
    expect(startErrors(lines, { '/etc/db': text })).toEqual([expected])
  })
})

describe('a zone file that changes', () => {
  it('keeps its zone when the new text does not parse or has the same serial, and takes the next one', async () => {
    const world = { text: `${soa}a A 192.0.2.1\n`, stamp: '1' }
    const polls: (() => void)[] = []
    const logged: string[] = []
    const server = testServer('.:53 {\nfile db example.org\n}', {
      ports: {
        readFile: () => world.text,
        fileStamp: () => world.stamp,
        log: (_level, message) => logged.push(message),
        schedule: (_delayMs, callback) => {
          polls.push(callback)
          return () => {}
        },
      },
    })
    const address = async (): Promise<string> => (await askServer(server, 'a.example.org. A')).split(' | ')[1] ?? ''
    Object.assign(world, { text: `${soa}a A nonsense\n`, stamp: '2' })
    polls.shift()?.()
    expect([await address(), logged.length]).toEqual(['a.example.org. 60 A 192.0.2.1', 1])
    Object.assign(world, { text: `${soa}a A 192.0.2.2\n`, stamp: '3' })
    polls.shift()?.()
    expect(await address(), 'the serial is the same').toBe('a.example.org. 60 A 192.0.2.1')
    Object.assign(world, { text: `${soa.replace('1 2 3', '2 2 3')}a A 192.0.2.2\n`, stamp: '4' })
    polls.shift()?.()
    expect(await address()).toBe('a.example.org. 60 A 192.0.2.2')
  })
})
