// Holds every source file against the import table; finds cycles, deep imports and impure calls as well.
// `tsx tools/check-imports.ts` prints what it finds and exits 1.

import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findCycles } from './find-cycles.ts'
import { type ImportRule, importTable, testsMayImport } from './import-table.ts'
import { blankComments, type ScannedImport, scanImports } from './scan-imports.ts'

/** The sources to check and what packages offer. Paths start at the repository's root. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, string>
  /** Package name with scope → the subpaths of its `exports` (`.`, `./testing`). */
  readonly exports: ReadonlyMap<string, readonly string[]>
}

/** Lists everything that breaks a rule, `file:line: message`, sorted. */
export function checkImports(tree: SourceTree): readonly string[] {
  const faults: string[] = []
  const edges = new Map<string, readonly string[]>()
  for (const [path, source] of tree.files) {
    const imports = scanImports(source)
    edges.set(
      path,
      imports.filter(({ specifier }) => specifier.startsWith('.')).map((one) => resolveFrom(path, one)),
    )
    for (const one of imports) {
      const fault = faultOf(path, one, tree)
      if (fault !== undefined) faults.push(`${path}:${one.line}: ${fault}`)
    }
    faults.push(...impureCalls(path, source))
  }
  for (const cycle of findCycles(edges)) faults.push(`${cycle[0]}:1: cycle of imports: ${cycle.join(' → ')}`)
  return faults.sort()
}

/** What is wrong with one import, or undefined. */
function faultOf(path: string, one: ScannedImport, tree: SourceTree): string | undefined {
  if (one.specifier.startsWith('.')) return faultOfRelative(path, one, tree)
  const owner = ownerOf(path)
  const rule = importTable[owner]
  const name = one.specifier
    .split('/')
    .slice(0, one.specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (tree.exports.has(name)) {
    const isOffered = tree.exports.get(name)?.includes(`.${one.specifier.slice(name.length)}`)
    if (!isOffered) return `${one.specifier} is not an entry of ${name} (deep import)`
    const isAllowed =
      rule === undefined || rule.ours.includes(name.replace('@kubewire/', '')) || ownTesting(owner, name)
    return isAllowed ? undefined : `${owner} may not import ${name}`
  }
  if (rule === undefined) return undefined // test/, tools/, bench/, examples/ may import everything
  const inside = path.slice(owner.length + 1)
  const isTest = /\.test(-d)?\.ts$/.test(path)
  if (one.specifier.startsWith('node:')) {
    const isAllowed = rule.node === true || (rule.node !== false && isBelow(inside, rule.node))
    return isAllowed || isTest ? undefined : `${owner} may not import ${one.specifier} here`
  }
  if (builtinModules.includes(name)) return `write node:${one.specifier}`
  return faultOfThirdParty(owner, rule, inside, name, one, isTest)
}

function faultOfThirdParty(
  owner: string,
  rule: ImportRule,
  inside: string,
  name: string,
  one: ScannedImport,
  isTest: boolean,
): string | undefined {
  if (isTest && testsMayImport.includes(name)) return undefined
  if (rule.lazy?.includes(name) && one.kind === 'static' && !isTest) return `${name} must be loaded by await import()`
  if (rule.thirdParty.includes(name)) return undefined
  const only = rule.only?.find(({ module }) => module === name)
  if (only === undefined) return `${owner} may not import ${name}`
  return isBelow(inside, only.below) || isTest ? undefined : `${name} belongs in ${only.below.join(', ')} alone`
}

/** A relative import stays in its package, names its file in full, and the file exists. */
function faultOfRelative(path: string, one: ScannedImport, tree: SourceTree): string | undefined {
  const target = resolveFrom(path, one)
  if (/\.(m?js|json|mjs)$/.test(target))
    return target.startsWith('tools/') ? undefined : `${one.specifier}: expected a .ts file`
  if (!tree.files.has(target)) return `${one.specifier}: no such file`
  const [from, to] = [ownerOf(path), ownerOf(target)]
  if (from === to) return undefined
  if (!(from in importTable) && !target.startsWith('packages/')) return undefined
  return `${one.specifier} reaches into ${to} (deep import)`
}

const impure =
  /\b(?:Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|set(?:Timeout|Interval|Immediate)\(|console\.|process\.)/g

/** Calls that pure packages take as arguments instead. */
function impureCalls(path: string, source: string): readonly string[] {
  if (!importTable[ownerOf(path)]?.isPure || /\.test(-d)?\.ts$/.test(path)) return []
  return blankComments(source)
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(impure)].map(([call]) => `${path}:${at + 1}: pure code calls ${call}`))
}

function resolveFrom(path: string, { specifier }: ScannedImport): string {
  return normalize(join(dirname(path), specifier))
}

/** `packages/x` or `apps/x`; the top-level folder elsewhere. */
function ownerOf(path: string): string {
  const [top = '', second = ''] = path.split('/')
  return top === 'packages' || top === 'apps' ? `${top}/${second}` : top
}

/** A package may name itself, as its users do, in tests and examples. */
function ownTesting(owner: string, name: string): boolean {
  return owner.split('/')[1] === name.replace('@kubewire/', '')
}

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)))
}

/** Reads the checkout. */
export function readSourceTree(root: string): SourceTree {
  const files = new Map<string, string>()
  for (const top of ['packages', 'apps', 'test', 'tools', 'bench', 'examples']) {
    for (const path of sourcesBelow(root, top)) files.set(path, readFileSync(join(root, path), 'utf8'))
  }
  const exports = new Map<string, readonly string[]>()
  for (const owner of Object.keys(importTable)) {
    const manifest = JSON.parse(readFileSync(join(root, owner, 'package.json'), 'utf8')) as {
      name: string
      exports?: Record<string, unknown>
    }
    exports.set(manifest.name, Object.keys(manifest.exports ?? {}))
  }
  return { files, exports }
}

function sourcesBelow(root: string, dir: string): readonly string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return isOthers(entry.name, path) ? [] : sourcesBelow(root, path)
    return /(?<!\.d)\.ts$/.test(entry.name) ? [path] : []
  })
}

function isOthers(name: string, path: string): boolean {
  return /^(node_modules|dist|bundle|bin)$/.test(name) || path === 'test/conformance/cases'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tree = readSourceTree(dirname(dirname(fileURLToPath(import.meta.url))))
  const faults = checkImports(tree)
  for (const fault of faults) console.log(fault)
  console.log(`${tree.files.size} files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
