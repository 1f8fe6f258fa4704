import { describe, expect, it } from 'vitest'
import { isManifestName, readManifestDirectory } from './read-directory.ts'

describe('reading a folder of manifests', () => {
  it('a folder that is not there is told as a file that cannot be read', async () => {
    const [file, ...others] = await readManifestDirectory('/nonexistent/manifests')
    expect(others).toEqual([])
    expect(file).toMatchObject({ name: '/nonexistent/manifests', kind: 'unreadable' })
    expect(file?.kind === 'unreadable' && file.reason).toContain('ENOENT')
  })

  it.each([
    ['shop/tea.yaml', true, 'YAML in a folder'],
    ['tea.json', true, 'JSON'],
    ['.hidden.yaml', false, 'a hidden file'],
    ['kustomization.yaml', false, 'what only kustomize reads'],
    ['README.md', false, 'prose'],
  ])('%s: %s, %s', (name, expected) => {
    expect(isManifestName(name)).toBe(expected)
  })
})
