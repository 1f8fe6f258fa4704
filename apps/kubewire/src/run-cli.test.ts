import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from './commands/registry.ts'
import type { Output } from './output.ts'
import { runCli } from './run-cli.ts'
import { version } from './version.ts'

interface Written {
  readonly code: number
  readonly data: string
  readonly notes: string
}

async function run(words: readonly string[], stdin = ''): Promise<Written> {
  let data = ''
  let notes = ''
  const output: Output = {
    data: (text) => {
      data += text
    },
    note: (text) => {
      notes += text
    },
    readStdin: async () => stdin,
    hasColour: false,
  }
  return { code: await runCli(words, output), data, notes }
}

const service = `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {clusterIP: 10.96.4.4, ports: [{port: 80}]}
`

test.each([
  ['help is data', ['--help'], 0, /Usage: kubewire COMMAND/, /^$/],
  ['no words at all show help', [], 0, /Usage: kubewire COMMAND/, /^$/],
  ['an area alone shows its verbs on request', ['proxy', '--help'], 0, /proxy explain/, /^$/],
  [
    'a command shows its flags and an example',
    ['proxy', 'render', '--help'],
    0,
    /Example:\n {2}kubewire proxy render/,
    /^$/,
  ],
  ['a shell that is not known is a usage error', ['completion', 'csh'], 2, /^$/, /expected bash or zsh/],
  [
    'an unknown command is a usage error',
    ['prxy'],
    2,
    /^$/,
    /unknown command "prxy"; did you mean proxy render, proxy explain, proxy diff\?/,
  ],
  [
    'a verb without its area is met by those that have it',
    ['explain', 'x'],
    2,
    /^$/,
    /did you mean dns explain, proxy explain, ingress explain\?/,
  ],
  [
    'help of a command is its --help',
    ['help', 'dns', 'render'],
    0,
    /^Print every record that the cluster zone holds\./,
    /^$/,
  ],
  ['an area without verb is a usage error', ['proxy'], 2, /^$/, /expected render or explain or diff/],
  [
    'an unknown flag is a usage error',
    ['proxy', 'render', '--nope'],
    2,
    /^$/,
    /unknown flag: --nope\nSee 'kubewire proxy/,
  ],
  ['a verb that an area does not have is named', ['proxy', 'rnder'], 2, /^$/, /or diff, found "rnder"/],
  [
    'a second file without its own -f is refused, not overlooked',
    ['lint', '-f', 'a.yaml', 'b.yaml'],
    2,
    /^$/,
    /found "b.yaml"; each file takes its own -f/,
  ],
  ['no input is a usage error', ['proxy', 'render'], 2, /^$/, /expected at least one -f/],
  [
    'a file that is not there is unreadable',
    ['proxy', 'render', '-f', '/nonexistent.yaml'],
    3,
    /^$/,
    /it does not exist/,
  ],
] as const)('%s', async (_name, words, code, data, notes) => {
  const written = await run(words)
  expect(written.code).toBe(code)
  expect(written.data).toMatch(data)
  expect(written.notes).toMatch(notes)
})

test('standard input is read, data and problems are kept apart', async () => {
  const { code, data, notes } = await run(['proxy', 'render', '-f', '-'], service)
  expect(code).toBe(0)
  expect(data).toContain('shop/tea has no endpoints')
  expect(notes).toBe('')
})

test('a document that does not parse is named with file and line, the others are used', async () => {
  const { code, data, notes } = await run(['proxy', 'render', '-f', '-'], `${service}---\nkind: [\n`)
  expect(code).toBe(3)
  expect(data).toContain('shop/tea')
  expect(notes).toMatch(/^standard input:\d+:\d+: error: .*MODEL_YAML/)
})

test('a command line that works is given for each command', async () => {
  for (const { name, example, summary } of commands) {
    expect(example.startsWith(`kubewire ${name} `)).toBe(true)
    expect(summary).toMatch(/^[a-z].*[^.]$/)
  }
})

test('the version is that of the package', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(version).toBe(manifest.version)
  expect((await run(['--version'])).data).toBe(`kubewire ${version}\n`)
})
