// `pnpm audit` of what we ship: known advisories in the dependencies of the packages, not in the tools. A registry without
// an audit endpoint, or none in reach, is no finding: that is said, and the check passes.

import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pnpmCommand } from './pack-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { program, args } = pnpmCommand(['audit', '--prod', '--json'])
const run = spawnSync(program, args, { cwd: root, encoding: 'utf8', timeout: 60_000 })
const answer = parseAnswer(run.stdout)
const report = answer?.metadata === undefined ? undefined : answer

if (report === undefined) {
  const reason = answer?.error?.code ?? run.error?.message ?? `exit status ${run.status}`
  console.log(`skipped: the registry answers no audit (${reason})`)
} else {
  const advisories = Object.values(report.advisories ?? {})
  for (const { module_name: name, severity, title, patched_versions: patched } of advisories)
    console.log(`${name}: ${severity}: ${title} (mended in ${patched})`)
  console.log(`${advisories.length} advisories for what is shipped`)
  process.exitCode = advisories.some(({ severity }) => severity === 'high' || severity === 'critical') ? 1 : 0
}

/** What came, when it is JSON. */
function parseAnswer(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
