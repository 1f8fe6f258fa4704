// The house rules that a machine can check: names, sizes, headers, tests beside the code, nothing about one machine.

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Files that are committed or could be; scratch files, whose names begin with a dot, could not. */
const listFiles = (...flags: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', ...flags], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(isThere)
const paths = [
  ...listFiles(),
  ...listFiles('--others', '--exclude-standard').filter((path) => !basename(path).startsWith('.')),
]
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = paths.filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(path))
const code = sources.filter((path) => !/\.test(-d)?\.ts$/.test(path))

function isThere(path: string): boolean {
  return path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
}

describe('names and sizes', () => {
  it('files are named in kebab-case, and nothing is called utils, helpers, common, misc or types', () => {
    const bad = paths
      .filter((path) => /\.m?ts$/.test(path))
      .map((path) => basename(path).replace(/(\.(test|test-d|d|kernel|bench|config))?\.m?ts$/, ''))
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || /^(utils?|helpers?|common|misc|types)$/.test(name))
    expect(bad).toEqual([])
  })

  it('a file past 400 lines says in its header that it is a table or a list', () => {
    const long = code.filter(
      (path) => textOf(path).split('\n').length > 400 && !/\b(table|list)\b/i.test(headerOf(path)),
    )
    expect(long).toEqual([])
  })

  it('the median file is at most 120 lines long', () => {
    const sizes = code.map((path) => textOf(path).split('\n').length).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(120)
  })

  it('no function is longer than 90 lines', () => {
    expect(code.flatMap((path) => longFunctions(path, 90))).toEqual([])
  })
})

describe('what a file says', () => {
  it('every source file opens with a comment, before its imports or right after them', () => {
    const bare = code.filter(
      (path) => headerOf(path) === '' && !/^(import[^'"]*['"][^'"]+['"]\n|\n)*(\/\/|\/\*)/.test(textOf(path)),
    )
    expect(bare.filter((path) => basename(path) !== 'index.ts')).toEqual([])
  })

  it('every problem code in use is explained in a problem-codes.ts', () => {
    const lists = code.filter((path) => path.endsWith('/problem-codes.ts')).map(textOf)
    const known = new Set(
      lists.flatMap((text) => [...text.matchAll(/^ {2}([A-Z]+_[A-Z0-9_]+):/gm)].map(([, one]) => one)),
    )
    const bad = code.flatMap((path) =>
      [...textOf(path).matchAll(/(?<!startsWith\()'((?:MODEL|INF|DNS|IPT|NGX|KIT|API|CLI)_[A-Z0-9_]+)'/g)]
        .filter(([, one]) => !known.has(one))
        .map(([, one]) => `${path}: ${one}`),
    )
    expect(bad).toEqual([])
  })

  it('there is no open task, and no entry re-exports everything', () => {
    const bad = [...sources, ...paths.filter((path) => /^(test|tools)\/.*\.ts$/.test(path))]
      .filter((path) => path !== 'tools/house-rules.test.ts')
      .filter((path) => /\bTODO\b|\bFIXME\b|^export \* /m.test(textOf(path)))
    expect(bad).toEqual([])
  })
})

describe('tests beside the code', () => {
  const registries = [
    'packages/dns-core/src/plugins/registry.ts',
    'packages/iptables-gen/src/match/registry.ts',
    'packages/iptables-gen/src/target/registry.ts',
    'packages/iptables-gen/src/proxy/sections/registry.ts',
    'packages/nginx-gen/src/annotations/registry.ts',
    'packages/nginx-gen/src/settings/registry.ts',
    'apps/kubewire/src/lint/registry.ts',
  ].filter((path) => paths.includes(path))

  it.each(registries)('every entry of %s has a test, beside it or as rows of the registry’s own', (registry) => {
    const entries = [...textOf(registry).matchAll(/^import (?!type)[^']*from '\.\/([^']+)\.ts'/gm)]
    const files = entries.map(([, name]) => name ?? '').filter((name) => !name.startsWith('define'))
    const shared = registry.replace('.ts', '.test.ts')
    const rows = paths.includes(shared) ? textOf(shared) : ''
    expect(files.length).toBeGreaterThan(0)
    const untested = files.filter((name) => !paths.includes(join(dirname(registry), `${name}.test.ts`)))
    expect(untested.filter((name) => !new RegExp(`['"\`]${name}['"\`]`).test(rows))).toEqual([])
  })

  it('a test beside the code has the name of its file, or says in its header what it is about', () => {
    const lost = sources
      .filter((path) => path.endsWith('.test.ts') && !isThere(path.replace('.test.ts', '.ts')))
      .filter((path) => headerOf(path) === '')
    expect(lost).toEqual([])
  })
})

describe('nothing about one machine', () => {
  const machine = new RegExp(['/wor' + 'k/(main|shared|\\.)', '/tm' + 'p/kw', '/home/[a-z]+/', '/Users/'].join('|'))

  it('no file names a path of somebody’s machine', () => {
    const texts = paths.filter((path) => !/\.(png|ico|gz|der|p12)$/.test(path) && path !== 'pnpm-lock.yaml')
    expect(texts.filter((path) => path !== 'tools/house-rules.test.ts' && machine.test(textOf(path)))).toEqual([])
  })

  it('the lockfile holds no download addresses', () => {
    expect(textOf('pnpm-lock.yaml')).not.toMatch(/tarball:|https?:/)
  })

  it('package.json files pin nothing by themselves: versions live in the catalog', () => {
    const bad = paths
      .filter((path) => basename(path) === 'package.json')
      .flatMap((path) => {
        const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf(path)) as Record<
          string,
          Record<string, string>
        >
        return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
          .filter(([, range]) => !/^(catalog:|workspace:)/.test(range))
          .map(([name]) => `${path}: ${name}`)
      })
    expect(bad).toEqual([])
  })
})

/** The comment at the top of a file, after a shebang. */
function headerOf(path: string): string {
  return textOf(path).match(/^(#![^\n]*\n)?((\/\/[^\n]*\n)+|\/\*[\s\S]*?\*\/)/)?.[0] ?? ''
}

/** Functions declared at the start of a line that span more than `limit` lines; the formatter closes them there. */
function longFunctions(path: string, limit: number): readonly string[] {
  const lines = textOf(path).split('\n')
  return lines.flatMap((line, start) => {
    const name = line.match(/^(?:export )?(?:default )?(?:async )?function\*? (\w+)/)?.[1]
    if (name === undefined) return []
    const length = lines.findIndex((one, at) => at > start && one.startsWith('}')) - start + 1
    return length > limit ? [`${path}: ${name} has ${length} lines`] : []
  })
}
