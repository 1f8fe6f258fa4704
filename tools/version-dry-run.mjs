// What the next release would be: `changeset version` in a scratch clone. It may change versions, change logs and the
// notes that it uses up, and nothing else; all published packages get the same version; packed then, they ask for each other
// in that version.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackages } from './pack-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scratch = mkdtempSync(join(tmpdir(), 'version-'))
const clone = join(scratch, 'clone')
const git = (...words) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' })
const problems = []
try {
  execFileSync('git', ['clone', '--quiet', '--shared', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  execFileSync(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: clone, stdio: 'pipe' })
  git('add', '-A', '--', '.', ':!node_modules')
  const changed = git('diff', '--cached', '--name-only').split('\n').filter(Boolean)
  const unexpected = changed.filter((path) => !/^\.changeset\/|(^|\/)(package\.json|CHANGELOG\.md)$/.test(path))
  for (const path of unexpected) problems.push(`${path} is changed`)
  const versions = new Map()
  for (const path of changed.filter((one) => one.endsWith('package.json'))) {
    const { name, version, dependencies = {} } = JSON.parse(readFileSync(join(clone, path), 'utf8'))
    versions.set(name, version)
    for (const line of git('diff', '--cached', '-U0', '--', path).split('\n'))
      if (/^[+-] /.test(line) && !line.includes('"version"')) problems.push(`${path}: ${line}`)
    for (const [other, range] of Object.entries(dependencies))
      if (other.startsWith('@kubewire/') && range !== 'workspace:^')
        problems.push(`${path}: expected workspace:^ for ${other}, got ${range}`)
  }
  if (new Set(versions.values()).size !== 1)
    problems.push(`expected one version for all, got ${JSON.stringify(Object.fromEntries(versions))}`)
  const [next] = versions.values()
  problems.push(...packedFaults(next))
  console.log(`the next release: ${versions.size} packages, version ${[...new Set(versions.values())].join(', ')}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0

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
