import { parseManifests } from '@kubewire/kube-model/manifest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printYaml } from './print-yaml.ts'

describe('an object as YAML', () => {
  test('reads like kubectl prints', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'coredns', labels: { app: 'dns', on: 'yes' }, finalizers: [] },
      data: { Corefile: '.:53 {\n    errors\n}\n', empty: '', port: '53' },
      list: [{ name: 'a', ports: [80, 443] }, { name: 'b' }],
    }
    expect(printYaml(object)).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: coredns
  labels:
    app: dns
    "on": "yes"
  finalizers: []
data:
  Corefile: |
    .:53 {
        errors
    }
  empty: ""
  port: "53"
list:
- name: a
  ports:
  - 80
  - 443
- name: b
`)
  })

  test('means the same to a parser, whatever it holds', () => {
    const values = fc.object({
      maxDepth: 4,
      values: [
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.stringMatching(/^[ \n:#'"|>-]{0,6}$/),
      ],
    })
    fc.assert(
      fc.property(values, (value) => {
        const object = { apiVersion: 'v1', kind: 'Anything', metadata: { name: 'x' }, value }
        expect(parseManifests(printYaml(object), 'x.yaml').placed[0]?.object).toEqual(object)
      }),
      { numRuns: 300 },
    )
  })
})
