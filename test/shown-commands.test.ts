// Commands that pages show must be ones that exist: every `kubewire …` is parsed as the command line would parse it, and
// every `pnpm …` and `npm run …` is a script of package.json. What they print is tested elsewhere.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseFlags } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { commands } from '../apps/kubewire/src/commands/registry.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly [name: string]: string }
}
/** Words of pnpm itself. */
const pnpmWords = new Set(['install', 'exec', 'pack', 'publish', '--dir'])

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/RESULTS.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['packages', 'apps', 'deploy'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`),
  ),
  'docs/compat/README.md',
  'examples/ci/README.md',
]

/** Shell lines of fences, `run:` lines of workflows, and code in sentences, without comments and what follows in a pipe. */
function shownLines(text: string): readonly string[] {
  const fenced = [...text.matchAll(/^ *```(?:sh|bash|yaml)\n([\s\S]*?)^ *```/gm)].map(([, body = '']) => body)
  const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
  return [...fenced.flatMap((body) => body.replaceAll('\\\n', ' ').split('\n')), ...inline]
    .map((line) => line.replace(/^[\s-]*run:/, '').replace(/\s#.*/, ''))
    .flatMap((line) => line.split(/\\?\||>>?|&&|;/))
    .map((part) => part.trim())
}

/** The words of a command line; quotes hold words together. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''))
}

describe.each(pages)('%s', (page) => {
  const lines = shownLines(readFileSync(join(root, page), 'utf8'))

  it('shows only commands and flags of kubewire that exist', async () => {
    const faults: string[] = []
    for (const line of lines) {
      const [program = '', ...rest] = words(line.replace(/^npx kubewire/, 'kubewire'))
      if (program === 'kubewire' && rest.length > 0) faults.push(...(await faultsOf(line, rest)))
    }
    expect(faults).toEqual([])
  })

  it('shows only scripts that exist', () => {
    const shown = lines.flatMap((line) => {
      const [, pnpm] = /^(?:npx (?:--yes )?)?pnpm(?:@\S+)? (?:run )?(\S+)/.exec(line) ?? []
      const [, npm] = /^npm run (\S+)/.exec(line) ?? []
      return [pnpm, npm].filter((name) => name !== undefined && !pnpmWords.has(name))
    })
    expect(shown.filter((name) => name !== undefined && !(name in scripts))).toEqual([])
  })
})

async function faultsOf(line: string, rest: readonly string[]): Promise<readonly string[]> {
  const [first = '', second = ''] = rest
  if (['help', 'version', 'completion'].includes(first) || first.startsWith('-') || first === 'COMMAND') return []
  const entry = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  // `kubewire ingress` in a sentence is a group of commands.
  const isGroup = rest.length === 1 && commands.some(({ name }) => name.startsWith(`${first} `))
  if (entry === undefined) return isGroup ? [] : [`${line}: no such command`]
  const { command } = await entry.load()
  const given = rest.slice(entry.name.split(' ').length).map((word) => word.replaceAll(/[[\]]/g, ''))
  const { problems, args } = parseFlags(command.flags, given, { dialect: 'pflag' })
  const faults = problems.map(({ message }) => `${line}: ${message}`)
  if (args.some((word) => word !== '…') && command.takesWords !== true)
    faults.push(`${line}: takes no words, found ${args[0]}`)
  return faults
}
