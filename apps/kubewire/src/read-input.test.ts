import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOf } from '@kubewire/kube-model'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Output } from './output.ts'
import { readFiles } from './read-input.ts'

const object = (kind: string, name: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`
const notes: string[] = []
const output: Output = {
  data: () => {},
  note: (text) => notes.push(text),
  readStdin: async () => object('Service', 'from-stdin'),
  hasColour: false,
}

let folder = ''
beforeEach(async () => {
  notes.length = 0
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
  await mkdir(join(folder, 'deep'))
  await writeFile(join(folder, 'a.yaml'), object('Service', 'a'))
  await writeFile(join(folder, 'notes.txt'), 'not: [yaml')
  await writeFile(join(folder, 'odd-name'), object('Service', 'odd'))
  await writeFile(join(folder, 'deep', 'b.json'), '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}}')
})
afterEach(async () => rm(folder, { recursive: true }))

async function keys(filename: readonly string[], recursive = false): Promise<string[]> {
  return (await readFiles({ filename, recursive }, output)).objects.map((found) => keyOf(found))
}

test('a folder gives its manifests, subfolders only when asked for, and no other files', async () => {
  expect(await keys([folder])).toEqual(['a'])
  expect(await keys([folder], true)).toEqual(['a', 'b'])
})

test('a file that is named may be called anything, and a dash is standard input', async () => {
  expect(await keys([join(folder, 'odd-name'), '-'])).toEqual(['odd', 'from-stdin'])
})

test('an object without namespace lives in default; kinds that nobody uses are counted', async () => {
  await writeFile(join(folder, 'c.yaml'), `${object('CronJob', 'x')}---\n${object('Node', 'node-1')}`)
  const { snapshot } = await readFiles({ filename: [folder], recursive: false }, output)
  expect(snapshot.services.get('a', 'default')).toBeDefined()
  expect(snapshot.nodes.get('node-1')).toBeDefined()
  expect(notes).toEqual(['kinds that are not read: CronJob 1\n'])
})

test('a kind of another group is not taken for ours, and one misshapen object leaves the others alone', async () => {
  const knative = object('Service', 'fn').replace('v1', 'serving.knative.dev/v1')
  await writeFile(join(folder, 'c.yaml'), `${knative}---\n${object('Service', 'bad')}spec: {ports: http}\n`)
  const { snapshot, problems } = await readFiles({ filename: [folder], recursive: false }, output)
  expect([...snapshot.services].map((found) => keyOf(found))).toEqual(['default/a'])
  expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'CLI_REFUSED spec.ports',
    'CLI_OBJECT_SHAPE spec.ports',
  ])
  expect(notes).toEqual(['kinds that are not read: Service of serving.knative.dev/v1 1\n'])
})

test('a folder without objects, and a path that is not there, cannot be read', async () => {
  await expect(keys([join(folder, 'deep', 'nothing')])).rejects.toThrow(/it does not exist/)
  await rm(join(folder, 'a.yaml'))
  await expect(keys([folder])).rejects.toThrow(
    /expected Kubernetes objects in .*, found none; -R reads subfolders too$/,
  )
})

test('a finding stands at the line of its field', async () => {
  await writeFile(join(folder, 'c.yaml'), `${object('Node', 'x')}---\n${object('Service', 'bad')}spec:\n  type: Foo\n`)
  const { problems, positionOf } = await readFiles({ filename: [folder], recursive: false }, output)
  const found = problems.find(({ path }) => path === 'spec.type')
  expect(found?.position).toEqual({ file: join(folder, 'c.yaml'), line: 9, column: 3 })
  expect(positionOf?.('Service default/bad', 'spec.selector')?.line).toBe(8)
})
