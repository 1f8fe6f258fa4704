// What the next release would be: `pnpm next-version` in a scratch clone. It may change versions, change logs and the
// notes that it uses up, and nothing else; all published packages get the same version, and so does what names it; packed
// then, they ask for each other in that version.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { versionedFiles } from './next-version.mjs'
import { packPackages } from './pack-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scratch = mkdtempSync(join(tmpdir(), 'version-'))
const clone = join(scratch, 'clone')
const git = (...words) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' })
try {
  execFileSync('git', ['clone', '--quiet', '--shared', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const notes = readdirSync(join(clone, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const problems = notes.length > 0 ? dryRun() : []
  if (notes.length === 0) console.log('there is no note of a change, so there is nothing to release')
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function dryRun() {
  execFileSync(process.execPath, ['tools/next-version.mjs'], { cwd: clone, stdio: 'pipe' })
  git('add', '-A', '--', '.', ':!node_modules')
  const changed = git('diff', '--cached', '--name-only').split('\n').filter(Boolean)
  const versions = new Map()
  for (const path of changed.filter((one) => one.endsWith('package.json'))) {
    const { name, version } = JSON.parse(readFileSync(join(clone, path), 'utf8'))
    versions.set(name, version)
  }
  const [next, ...others] = new Set(versions.values())
  console.log(`the next release: ${versions.size} packages, version ${[next, ...others].join(', ')}`)
  const isOne = next !== undefined && others.length === 0
  const oneVersion = isOne ? [] : [`expected one version for all, got ${JSON.stringify(Object.fromEntries(versions))}`]
  return [...oneVersion, ...changed.flatMap(changeFaults), ...unchanged(changed), ...packedFaults(next)]
}

/** What a file has that is not the version. */
function changeFaults(path) {
  if (/^\.changeset\/|(^|\/)CHANGELOG\.md$/.test(path) || versionedFiles.includes(path)) return []
  if (!path.endsWith('package.json')) return [`${path} is changed`]
  const lines = git('diff', '--cached', '-U0', '--', path).split('\n')
  return lines.filter((line) => /^[+-] /.test(line) && !line.includes('"version"')).map((line) => `${path}: ${line}`)
}

function unchanged(changed) {
  return versionedFiles.filter((path) => !changed.includes(path)).map((path) => `${path} still names the old version`)
}

/** Packs the libraries of the clone. pnpm reads the versions of their neighbours through `node_modules`. */
function packedFaults(next) {
  const names = readdirSync(join(clone, 'packages'))
  for (const one of names) {
    const scope = join(clone, 'packages', one, 'node_modules/@kubewire')
    mkdirSync(scope, { recursive: true })
    for (const other of names) symlinkSync(join(clone, 'packages', other), join(scope, other))
  }
  return packPackages(join(scratch, 'tarballs'), { workspace: clone, filters: ['./packages/*'] }).flatMap((path) => {
    const read = (file) => execFileSync('tar', ['-xOzf', path, `package/${file}`], { encoding: 'utf8' })
    const { name, dependencies = {} } = JSON.parse(read('package.json'))
    const ours = Object.entries(dependencies).filter(([other]) => other.startsWith('@kubewire/'))
    const wrong = ours.filter(([, range]) => range !== `^${next}`).map(([other, range]) => `${name}: ${other} ${range}`)
    return read('CHANGELOG.md').includes(`## ${next}`) ? wrong : [...wrong, `${name}: no note of ${next}`]
  })
}
