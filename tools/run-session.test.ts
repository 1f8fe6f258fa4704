import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isSession, runSession, sessionCommands } from './run-session.ts'

it('a session is made of commands, their output with errors in order, and exit codes', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'session-'))
  try {
    const kubewire = join(scratch, 'program.mjs')
    writeFileSync(kubewire, "console.log('out', process.argv[2]); console.error('err'); process.exitCode = 3\n")
    const text = '$ kubewire lint\nold output\n$ printf x > "$NEW" && cat "$NEW"\n'
    expect(sessionCommands(text)).toEqual(['kubewire lint', 'printf x > "$NEW" && cat "$NEW"'])
    expect(await runSession(text, { cwd: scratch, scratch, kubewire })).toBe(
      '$ kubewire lint\nout lint\nerr\n(exit 3)\n\n$ printf x > "$NEW" && cat "$NEW"\nx\n',
    )
  } finally {
    rmSync(scratch, { recursive: true })
  }
})

it.each([
  ['$ kubewire lint\n', true],
  ['ok: a\n', false],
])('%j is a session: %s', (text, wanted) => {
  expect(isSession(text)).toBe(wanted)
})
