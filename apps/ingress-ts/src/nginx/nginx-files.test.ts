import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StartError } from '../start-checks.ts'
import { createNginxFiles } from './nginx-files.ts'

it('names the flag where the run directory cannot be made, and closes the control folder to others', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-files-'))
  try {
    writeFileSync(join(dir, 'file'), '')
    const blocked = createNginxFiles(join(dir, 'file/run'), 'nobody-of-that-name')
    await expect(blocked).rejects.toThrow(StartError)
    await expect(blocked).rejects.toThrow('--run-directory')
    const { runDir } = await createNginxFiles(join(dir, 'run'), 'nobody-of-that-name')
    expect(statSync(join(runDir, 'control')).mode & 0o777).toBe(0o700)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
