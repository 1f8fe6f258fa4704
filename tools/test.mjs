// `npm test`: sets up a fresh machine, runs the checks and every suite, and ends with one plain line that counts them
// all: `N passed, N failed, N skipped`. Plain Node without dependencies.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quietEnv, root, setUp } from './set-up.mjs'

process.exitCode = main()

function main() {
  const { ok } = setUp(console.log)
  const sums = { passed: 0, failed: 0, skipped: 0 }
  if (ok) {
    const suites = [
      ['checks', process.execPath, ['tools/check.mjs']],
      ['unit', 'node_modules/.bin/vitest', ['run', '--project', 'unit']],
      ['kernel', 'node_modules/.bin/vitest', ['run', '--project', 'kernel']],
    ]
    for (const [name, program, args] of suites) add(sums, runSuite(name, program, args))
  } else {
    console.log('not ok set-up: the dependencies could not be installed')
    sums.failed += 1
  }
  console.log(printCounts(sums))
  return sums.failed > 0 ? 1 : 0
}

/** Runs one suite, which writes its counts to the file named in KUBEWIRE_COUNTS. */
function runSuite(name, program, args) {
  const dir = mkdtempSync(join(tmpdir(), 'counts-'))
  const file = join(dir, 'counts.json')
  console.log(`\n== ${name}`)
  const startMs = Date.now()
  const run = spawnSync(program, args, {
    cwd: root,
    env: { ...quietEnv, KUBEWIRE_COUNTS: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }
  rmSync(dir, { recursive: true })
  // A suite that ended badly without naming a failure (a crash, no counts) is one failure.
  if (run.status !== 0 && counts.failed === 0) counts.failed = 1
  console.log(`== ${name}: ${printCounts(counts)} (${Math.round((Date.now() - startMs) / 1000)} s)`)
  return counts
}

function add(sums, counts) {
  for (const key of ['passed', 'failed', 'skipped']) sums[key] += counts[key]
}

function printCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
