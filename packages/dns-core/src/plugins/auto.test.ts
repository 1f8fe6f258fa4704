// Zones that come and go with the files of a directory.

import { describe, expect, it } from 'vitest'
import { askServer, problemsOf, testServer } from '../testing/ask-corefile.ts'

const zone = (address: string, serial = 1): string =>
  `@ 60 IN SOA ns admin ${serial} 2 3 4 5\n@ 60 IN NS ns\na 60 IN A ${address}\n`

interface World {
  readonly files: Map<string, string>
  rescan(): void
  ask(question: string): Promise<string>
}

function start(lines: string, files: { readonly [name: string]: string }): World {
  const map = new Map(Object.entries(files))
  let rescan = (): void => {}
  const server = testServer(`example:53 {\n${lines}\n}`, {
    ports: {
      listDirectory: (path) => (path === '/etc/zones' ? [...map.keys()] : []),
      readFile: (path) => map.get(path.replace('/etc/zones/', '')),
      fileStamp: (path) => map.get(path.replace('/etc/zones/', '')),
      schedule: (_delayMs, callback) => {
        rescan = callback
        return () => {}
      },
    },
  })
  return {
    files: map,
    rescan: () => rescan(),
    ask: async (question) => (await askServer(server, question)).split(' | ').slice(0, 2).join(' | '),
  }
}

const plain = 'auto {\ndirectory zones\n}'

describe('auto', () => {
  it('serves every file named db.ZONE', async () => {
    const world = start(plain, { 'db.one.example': zone('192.0.2.1'), 'db.two.example': zone('192.0.2.2') })
    expect(await world.ask('a.one.example. A')).toBe('NOERROR aa | a.one.example. 60 A 192.0.2.1')
    expect(await world.ask('a.two.example. A')).toBe('NOERROR aa | a.two.example. 60 A 192.0.2.2')
    expect(await world.ask('a.three.example. A')).toBe('REFUSED')
  })

  it('names zones by a pattern and a template', async () => {
    const world = start('auto {\ndirectory zones (.*)[.]zone$ {1}.example\n}', { 'one.zone': zone('192.0.2.1') })
    expect(await world.ask('a.one.example. A')).toBe('NOERROR aa | a.one.example. 60 A 192.0.2.1')
  })

  it('does not serve zones outside of its own', async () => {
    const world = start('auto one.example {\ndirectory zones\n}', { 'db.two.example': zone('192.0.2.2') })
    // With nobody behind it: names of others fail, names of its own without a zone are refused.
    expect(await world.ask('a.two.example. A')).toBe('SERVFAIL')
    expect(await world.ask('a.one.example. A')).toBe('REFUSED')
  })

  it('follows files that come, change, break and go', async () => {
    const world = start(plain, {})
    expect(await world.ask('a.one.example. A')).toBe('REFUSED')
    for (const [text, expected] of [
      [zone('192.0.2.1'), 'NOERROR aa | a.one.example. 60 A 192.0.2.1'],
      ['nonsense', 'NOERROR aa | a.one.example. 60 A 192.0.2.1'],
      [zone('192.0.2.3', 2), 'NOERROR aa | a.one.example. 60 A 192.0.2.3'],
    ] as const) {
      world.files.set('db.one.example', text)
      world.rescan()
      expect(await world.ask('a.one.example. A')).toBe(expected)
    }
    world.files.clear()
    world.rescan()
    expect(await world.ask('a.one.example. A')).toBe('REFUSED')
  })

  it('refuses a pattern without a template', () => {
    expect(problemsOf('.:53 {\nauto {\ndirectory zones (.*)\n}\n}').join()).toContain('Wrong argument count')
  })
})
