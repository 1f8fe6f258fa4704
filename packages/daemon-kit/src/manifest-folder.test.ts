import { expect, test } from 'vitest'
import { emptyManifestFolder, readManifestFolder } from './manifest-folder.ts'

const service = (name: string, port: number): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: shop}\nspec: {ports: [{port: ${port}}]}\n`

function look(...looks: readonly { readonly [file: string]: string }[]) {
  let folder = emptyManifestFolder
  const changes: string[][] = []
  for (const texts of looks) {
    const read = readManifestFolder(folder, new Map(Object.entries(texts)))
    folder = read.folder
    changes.push(
      read.changes.map(({ before, after }) => {
        const name = (after ?? before)?.metadata?.name
        return before ? (after ? `changed ${name}` : `gone ${name}`) : `new ${name}`
      }),
    )
  }
  return { folder, changes }
}

test('an edit, a new document and a removed file are changes; saving the same text is none', () => {
  const { changes } = look(
    { 'a.yaml': service('tea', 80), 'b.yaml': service('milk', 80) },
    { 'a.yaml': service('tea', 80), 'b.yaml': service('milk', 80) },
    { 'a.yaml': `${service('tea', 81)}---\n${service('cup', 80)}`, 'b.yaml': service('milk', 80) },
    { 'a.yaml': service('tea', 81) },
  )
  expect(changes).toEqual([['new tea', 'new milk'], [], ['changed tea', 'new cup'], ['gone cup', 'gone milk']])
})

test('a changed object keeps its uid and gets a higher version', () => {
  const first = look({ 'a.yaml': service('tea', 80) }).folder.objects.get('Service shop/tea')?.metadata
  const second = look({ 'a.yaml': service('tea', 80) }, { 'a.yaml': service('tea', 81) }).folder.objects.get(
    'Service shop/tea',
  )?.metadata
  expect(second?.uid).toBe(first?.uid)
  expect(Number(second?.resourceVersion)).toBeGreaterThan(Number(first?.resourceVersion))
})

test('a file that does not parse keeps what it declared, and says so', () => {
  const { changes, folder } = look({ 'a.yaml': service('tea', 80) }, { 'a.yaml': 'kind: [Service' })
  expect(changes[1]).toEqual([])
  expect(folder.problems).toMatchObject([{ code: 'MODEL_YAML', position: { file: 'a.yaml' } }])
})

test('of two files that declare one object the first by name wins', () => {
  const { folder } = look({ 'b.yaml': service('tea', 81), 'a.yaml': service('tea', 80) })
  expect(folder.objects.get('Service shop/tea')).toMatchObject({ spec: { ports: [{ port: 80 }] } })
  expect(folder.problems).toMatchObject([{ code: 'KIT_MANIFEST_DUPLICATE', position: { file: 'b.yaml' } }])
})

test('an object without namespace lives in default, unless its kind has none', () => {
  const text =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n'
  expect([...look({ 'a.yaml': text }).folder.objects.keys()]).toEqual(['ConfigMap default/a', 'Node /b'])
})
