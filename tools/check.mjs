// `npm run check`: everything that can be said about the sources without running a suite, one `ok` line per check.
// `npm run check NAME…` runs some. Counts go to KUBEWIRE_COUNTS for `npm test`.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules/.bin', name)
const tool = (file, ...args) => [bin('tsx'), '--conditions=@kubewire/source', `tools/${file}`, ...args]

/** Name → what it means and the command. */
const checks = [
  ['types', 'the whole tree compiles', [bin('tsc'), '-b']],
  ['lint', 'lint rules and format', [bin('biome'), 'ci', '--colors=off', '.']],
  ['imports', 'the import table, cycles, deep imports, impure calls', tool('check-imports.ts')],
  ['exports', 'no unused files, exports or dependencies', [bin('knip'), '--no-progress']],
  ['bundles', 'the executables bundle', [process.execPath, 'tools/bundle.mjs']],
  ['licences', 'what the bundles hold may be shipped', [process.execPath, 'tools/sbom.mjs', '--check']],
  ['audit', 'no known advisory is severe for what is shipped', [process.execPath, 'tools/audit.mjs']],
  ['version', 'a release changes versions and change logs alone', [process.execPath, 'tools/version-dry-run.mjs']],
  ['api', 'the reports of what packages offer are current', tool('write-api-reports.ts', '--check')],
  ['packages', 'packed, every entry resolves for users', [process.execPath, 'tools/check-packages.mjs']],
  ['reference', 'generated pages are current', tool('write-reference.ts', '--check')],
  ['examples', 'examples and code in Markdown compile, run and print what they say', tool('check-examples.ts')],
]

const wanted = process.argv.slice(2)
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const [name, meaning, [program, ...args]] of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startMs = Date.now()
  const run = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, timeout: 300_000 })
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
  if (run.status === 0) {
    counts.passed += 1
    const skipped = /^skipped: .*/m.exec(run.stdout)?.[0]
    console.log(`ok ${name}: ${meaning} (${seconds} s)${skipped === undefined ? '' : ` # ${skipped}`}`)
  } else {
    counts.failed += 1
    const output = `${run.error?.message ?? ''}${run.stdout ?? ''}${run.stderr ?? ''}`
    console.log(`not ok ${name}: ${meaning} (${seconds} s)\n${output.replaceAll(/^/gm, '    ')}`)
  }
}
const file = process.env['KUBEWIRE_COUNTS']
if (file !== undefined) writeFileSync(file, JSON.stringify(counts))
console.log(`${counts.passed} checks passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
