import { readdirSync, readFileSync } from 'node:fs'
import { keyOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, test } from 'vitest'
import { baseManifests } from './base-manifests.ts'

test('what the demo brings by itself is what examples/shop says', () => {
  const folder = new URL('../../../../examples/shop/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const shop = files.flatMap((name) => parseManifests(readFileSync(new URL(name, folder), 'utf8'), name).objects)
  const { objects, problems } = parseManifests(baseManifests, 'base')
  expect(problems).toEqual([])
  for (const object of objects) {
    expect(object).toEqual(shop.find(({ kind, ...rest }) => kind === object.kind && keyOf(rest) === keyOf(object)))
  }
})
