import { expect, it, test } from 'vitest'
import { parseManifests } from './manifest.ts'
import { firstDeclarations, isManifestName, isWholeManifest } from './manifest-files.ts'

test.each([
  ['shop/tea.yaml', true],
  ['tea.yml', true],
  ['tea.json', true],
  ['kustomization.yaml', false],
  ['shop/kustomization.yml', false],
  ['shop/.tea.yaml', false],
  ['.tea.yaml.swp', false],
  ['README.md', false],
])('%s is a manifest: %s', (path, wanted) => {
  expect(isManifestName(path)).toBe(wanted)
})

test.each([
  ['a file whose documents parse is whole', 'kind: Service\napiVersion: v1\nmetadata: {name: tea}\n', true],
  ['also where one is no object of Kubernetes', 'a: 1\n', true],
  ['half a document is half a file', 'kind: [Service', false],
])('%s', (_, text, wanted) => {
  expect(isWholeManifest(parseManifests(text, 'a.yaml').problems)).toBe(wanted)
})

it('counts the first declaration of each key, within a file and over files', () => {
  const { byKey, repeated } = firstDeclarations(
    [
      ['a1', 'b1'],
      ['a2', 'c1', 'c2'],
    ],
    ([key = '']) => key,
  )
  expect([...byKey.values()]).toEqual(['a1', 'b1', 'c1'])
  expect(repeated).toEqual([
    { again: 'a2', first: 'a1' },
    { again: 'c2', first: 'c1' },
  ])
})
