import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, test } from 'vitest'
import { objectFaults } from './object-faults.ts'

test.each([
  ['one port needs no name', '{port: 80}', []],
  ['one number for two protocols', '{name: a, port: 53}, {name: b, port: 53, protocol: UDP}', []],
  ['two ports without names', '{port: 80}, {port: 81}', ['spec.ports[0].name', 'spec.ports[1].name']],
  ['one name for two ports', '{name: a, port: 80}, {name: a, port: 81}', ['spec.ports[1].name']],
  ['one number for two names', '{name: a, port: 80}, {name: b, port: 80}', ['spec.ports[1]']],
  ['a target port that is none', '{port: 80, targetPort: 99999}', ['spec.ports[0].targetPort']],
  ['port 0', '{port: 0}', ['spec.ports[0].port', 'spec.ports[0].targetPort']],
])('%s', (_, ports, expected) => {
  const text = `apiVersion: v1\nkind: Service\nmetadata: {name: tea}\nspec: {ports: [${ports}]}\n`
  const { placed } = parseManifests(text, 'a.yaml')
  expect(placed.flatMap(objectFaults).map(({ path }) => path)).toEqual(expected)
})
