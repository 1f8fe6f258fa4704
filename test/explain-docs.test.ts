// The traces in docs/explain.md are what the commands above them print. `UPDATE_DOCS=1` writes them anew.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCli } from '../apps/kubewire/src/run-cli.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const page = join(root, 'docs/explain.md')
const trace = /```sh\n(kubewire [^\n]*)\n```\n\n```text\n([^`]*)```/g

it('docs/explain.md shows what its commands print', async () => {
  const before = readFileSync(page, 'utf8')
  const printed = new Map<string, string>()
  for (const [, command = ''] of before.matchAll(trace)) printed.set(command, await run(command))
  const after = before.replace(trace, (_, command: string) => {
    return `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`text\n${printed.get(command)}\`\`\``
  })
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(page, after)
  expect(printed.size).toBe(5)
  expect(readFileSync(page, 'utf8')).toBe(after)
}, 30_000)

async function run(command: string): Promise<string> {
  let data = ''
  let notes = ''
  const words = command
    .split(' ')
    .slice(1)
    .map((word) => (word.startsWith('examples/') ? join(root, word) : word))
  const code = await runCli(words, {
    data: (text) => {
      data += text
    },
    note: (text) => {
      notes += text
    },
    readStdin: async () => '',
    hasColour: false,
  })
  expect(code, notes).toBe(0)
  return data
}
