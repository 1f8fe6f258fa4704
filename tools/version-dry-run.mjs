// What the next release would be: `changeset version` in a scratch clone. It may change versions, change logs and the
// notes that it uses up, and nothing else; all published packages get the same version; ranges among them follow when
// they are packed (`workspace:^`).

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  console.log(`the next release: ${versions.size} packages, version ${[...new Set(versions.values())].join(', ')}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
