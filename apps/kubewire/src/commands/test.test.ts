// `kubewire test` from the command line: the first scenarios pass, a wrong one fails, and each way to end has its code.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from '../run-cli.ts'

// The first command loads the libraries of all areas.
vi.setConfig({ testTimeout: 60_000 })

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubewire-test-'))
})
afterEach(() => rm(dir, { recursive: true }))

async function run(...words: readonly string[]): Promise<{ code: number; data: string; notes: string }> {
  const found = { data: '', notes: '' }
  const code = await runCli(words, {
    data: (text) => {
      found.data += text
    },
    note: (text) => {
      found.notes += text
    },
    readStdin: async () => '',
    hasColour: false,
  })
  return { code, ...found }
}

async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(dir, file)
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to))
}

describe('kubewire test', () => {
  it('--init writes scenarios that pass, and never over a file', async () => {
    expect((await run('test', '--init', dir)).data.split('\n')).toHaveLength(5)
    const { code, data } = await run('test', dir)
    expect(data).toMatch(/^TAP version 14\n1\.\.7\n/)
    expect(data).toMatch(/# 7 passed, 0 failed, 0 skipped\n$/)
    expect(code).toBe(0)
    expect(await run('test', '--init', dir)).toMatchObject({ code: 2, notes: expect.stringMatching(/there is one/) })
  })

  it.each<[string, string, string, string, RegExp]>([
    ['a name that is answered otherwise', 'names.yaml', 'NXDOMAIN', 'NOERROR', /rcode: expected NOERROR, got NXDOMAIN/],
    [
      'a packet that goes elsewhere',
      'packets.yaml',
      'port: 81',
      'port: 80',
      /wanted \[\], found \[10\.244\.\d+\.\d+:8080,/,
    ],
    [
      'a request that another serves',
      'requests.yaml',
      'backend: shop/tea',
      'backend: shop/coffee',
      /backend: expected shop\/coffee, found shop\/tea/,
    ],
  ])('%s fails, with what was found', async (_, file, from, to, message) => {
    await run('test', '--init', dir)
    await change(file, from, to)
    const { code, data } = await run('test', dir)
    expect(data).toMatch(message)
    expect(data).toMatch(/# 6 passed, 1 failed/)
    expect(code).toBe(1)
  })

  it.each<[string, string, string, string, number, RegExp]>([
    ['a misspelt key', 'names.yaml', 'rcode', 'rcod', 3, /names\.yaml:6: queries\[0\]\.expect\.rcod: expected one of/],
    [
      'manifests that are not there',
      'names.yaml',
      '[manifests]',
      '[manifest]',
      3,
      /expected a readable file or folder at .*it does not exist/,
    ],
    [
      'a word for an object that is not there',
      'names.yaml',
      'service/shop/tea',
      'service/shop/tee',
      3,
      /expected Service shop\/tee among the objects/,
    ],
    [
      'manifests that are no YAML',
      'manifests/tea.yaml',
      'metadata: {',
      'metadata: [',
      3,
      /tea\.yaml:\d+: expected YAML/,
    ],
  ])('%s ends with code 3 and its place, and the other files still run', async (_, file, from, to, wanted, message) => {
    await run('test', '--init', dir)
    await change(file, from, to)
    const { code, notes, data } = await run('test', dir)
    expect(notes).toMatch(message)
    expect(code).toBe(wanted)
    expect(data).toMatch(/^1\.\.\d$/m)
  })

  it.each<[string, readonly string[], number, RegExp]>([
    ['a folder that is not there', ['test', 'no-such-folder'], 3, /expected a folder or file of scenarios/],
    ['a format that is none', ['test', '-o', 'xml'], 2, /expected -o tap, junit or json/],
  ])('%s is said', async (_, words, code, message) => {
    const found = await run(...words)
    expect([found.code, found.data]).toEqual([code, ''])
    expect(found.notes).toMatch(message)
  })
})
