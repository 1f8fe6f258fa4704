import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, it, test } from 'vitest'
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

it('a workload has to select the pods that it makes', () => {
  const text = (label: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: tea}\nspec: {selector: {matchLabels: {app: tea}}, template: {metadata: {labels: {app: ${label}}}}}\n`
  const faults = (label: string) => parseManifests(text(label), 'a.yaml').placed.flatMap(objectFaults)
  expect(faults('tea')).toEqual([])
  expect(faults('coffee').map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'spec.template.metadata.labels: Invalid value: {"app":"coffee"}: `selector` does not match template `labels`',
  ])
})
