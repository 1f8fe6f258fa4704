// Pages name files; a file that is renamed or removed must not live on in them.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pages = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'docs/compat'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/compat/${name}`),
  'CONTRIBUTING.md',
  'SECURITY.md',
  'README.md',
].filter((path) => existsSync(join(root, path)))

/** Paths that begin otherwise are relative to something the sentence says. */
const starts = new Set([
  'packages',
  'apps',
  'test',
  'tools',
  'docs',
  'examples',
  ...readdirSync(join(root, 'packages')),
  ...readdirSync(join(root, 'apps')),
])

/** `informer/watch-resource.ts`, as the straight lines write it, or a path from the repository's root. */
function exists(path: string): boolean {
  const [owner = '', ...inside] = path.split('/')
  return [path, join('packages', owner, 'src', ...inside), join('apps', owner, 'src', ...inside)].some((one) =>
    existsSync(join(root, one)),
  )
}

/** Tests by the end of their path, as tables name them. */
const tests = execFileSync('git', ['ls-files', '*.test.ts', '*.kernel.ts'], { cwd: root, encoding: 'utf8' }).split('\n')

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const prose = text.replaceAll(/```ts[\s\S]*?```/g, '')

  it('names only source files that exist', () => {
    const named = [...prose.matchAll(/(?<![\w./-])[a-z][\w-]*(?:\/[\w-]+)+\.(?:ts|mjs)\b/g)].map(([path]) => path)
    const checked = [...new Set(named)].filter((path) => starts.has(path.split('/')[0] ?? ''))
    expect(checked.filter((path) => !exists(path))).toEqual([])
  })

  it('names only tests that exist', () => {
    const named = [...prose.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:test|kernel)\.ts)`/g)].map(([, path]) => path ?? '')
    // `foo` stands for any name.
    const wanted = named.filter((path) => path !== 'foo.test.ts')
    expect(wanted.filter((path) => !tests.some((one) => `/${one}`.endsWith(`/${path}`)))).toEqual([])
  })

  it('links only to files that exist', () => {
    const links = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path]) => path ?? '')
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([])
  })
})
