import { expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { checkShape } from './check-shape.ts'

it.each<readonly [name: string, type: string, value: JsonObject, misfits: readonly string[]]>([
  ['what fits has no misfits', 'core.Service', { spec: { ports: [{ port: 80, targetPort: 'http' }] } }, []],
  ['unknown fields are no misfits', 'core.Service', { spec: { later: 1 }, other: [] }, []],
  ['a text for a list', 'core.Service', { spec: { ports: 'http' } }, ['spec.ports: a list, not "http"']],
  [
    'every misfit is named, not only the first',
    'core.Service',
    { metadata: { labels: 5 }, spec: { ports: [{ port: 'eighty', nodePort: 1.5 }, null] } },
    [
      'metadata.labels: an object, not 5',
      'spec.ports[0].port: an integer, not "eighty"',
      'spec.ports[0].nodePort: an integer, not 1.5',
      'spec.ports[1]: an object, not null',
    ],
  ],
  [
    'a number for the text of an annotation',
    'core.Pod',
    { metadata: { annotations: { 'example.org/size': 8 } } },
    ['metadata.annotations["example.org/size"]: a text, not 8'],
  ],
  ['a list for an object', 'networking.Ingress', { spec: [] }, ['spec: an object, not []']],
  [
    'a text for a truth',
    'core.Service',
    { spec: { publishNotReadyAddresses: 'yes' } },
    ['spec.publishNotReadyAddresses: true or false, not "yes"'],
  ],
])('%s', (_name, type, value, misfits) => {
  const found = checkShape(value, type).misfits
  expect(found.map(({ path, expected, found: value }) => `${path}: ${expected}, not ${JSON.stringify(value)}`)).toEqual(
    misfits,
  )
})

it('a null field is an absent one, a null in a map of texts an empty text', () => {
  const value = { metadata: { name: 'tea', labels: null, annotations: { a: null } }, spec: null, later: { b: null } }
  expect(checkShape(value, 'core.Service').object).toEqual({
    metadata: { name: 'tea', annotations: { a: '' } },
    later: { b: null },
  })
})

it('names fields that the type does not have, and the nearest that it has', () => {
  const spec = { selektor: {}, ports: [{ port: 80, 'completely-different': 1 }] }
  expect(checkShape({ apiVersion: 'v1', kind: 'Service', spec }, 'core.Service').unknown).toEqual([
    { path: 'spec.selektor', meant: 'selector' },
    { path: 'spec.ports[0].completely-different' },
  ])
})
