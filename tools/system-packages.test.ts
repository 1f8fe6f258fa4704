// The set-up names what is missing and the exact command, with stand-ins for Debian's programs.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { systemPackages } from './system-packages.mjs'

const script = join(dirname(fileURLToPath(import.meta.url)), 'system-packages.mjs')
const dir = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** Runs `--check` where `dpkg-query` says that everything but `missing` is installed. */
function check(missing: readonly string[] | 'no dpkg'): { status: number | null; stdout: string } {
  const bin = mkdtempSync(join(dir, 'bin-'))
  if (missing !== 'no dpkg') {
    const lines = [...systemPackages.keys()].map(
      (name) => `${name} ${missing.includes(name) ? 'not-installed' : 'installed'}`,
    )
    writeFileSync(join(bin, 'dpkg-query'), `#!/bin/sh\necho '${lines.join('\n')}'\n`)
    chmodSync(join(bin, 'dpkg-query'), 0o755)
  }
  return spawnSync(process.execPath, [script, '--check'], { env: { PATH: bin }, encoding: 'utf8' })
}

describe('system packages', () => {
  it('a machine that has everything is told nothing', () => {
    expect(check([])).toMatchObject({ status: 0, stdout: '' })
  })

  it('what is missing is named, with the command that installs it', () => {
    const { status, stdout } = check(['nginx', 'conntrack'])
    expect(status).toBe(1)
    expect(stdout).toBe(
      'missing: nginx conntrack\n  apt-get update && apt-get install -y --no-install-recommends nginx conntrack\n',
    )
  })

  it('a system without dpkg is left alone', () => {
    expect(check('no dpkg').status).toBe(0)
  })
})
