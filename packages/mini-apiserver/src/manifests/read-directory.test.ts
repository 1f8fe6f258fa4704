import { describe, expect, it } from 'vitest'
import { readManifestDirectory } from './read-directory.ts'

describe('reading a folder of manifests', () => {
  it('a folder that is not there is told as a file that cannot be read', async () => {
    const [file, ...others] = await readManifestDirectory('/nonexistent/manifests')
    expect(others).toEqual([])
    expect(file).toMatchObject({ name: '/nonexistent/manifests', kind: 'unreadable' })
    expect(file?.kind === 'unreadable' && file.reason).toContain('ENOENT')
  })
})
