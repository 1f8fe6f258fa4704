import { printProblem } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { describe, expect, it } from 'vitest'
import { isReadKind, shapeObject } from './object-shape.ts'

const shaped = (text: string): ReturnType<typeof shapeObject>[] =>
  parseManifests(text, 'tea.yaml').placed.map(shapeObject)

describe('an object that no API server would take is left out', () => {
  it.each([
    [
      'a text where a list belongs',
      'apiVersion: v1\nkind: Service\nmetadata: {name: tea, namespace: shop}\nspec: {ports: http}',
      ['tea.yaml:4:8: error: Service shop/tea spec.ports: expected a list, found "http"'],
    ],
    [
      'a number that YAML made of an annotation',
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: tea, annotations: {example.org/size: 8}}',
      [
        'tea.yaml:3:37: error: Ingress tea metadata.annotations["example.org/size"]: expected a text, found the number 8',
      ],
    ],
    [
      'every wrong field at once',
      'apiVersion: v1\nkind: Service\nmetadata: []\nspec: {ports: [null, {port: a}]}',
      [
        'tea.yaml:3:1: error: Service (unnamed) metadata: expected an object, found a list',
        'tea.yaml:4:16: error: Service (unnamed) spec.ports[0]: expected an object, found null',
        'tea.yaml:4:23: error: Service (unnamed) spec.ports[1].port: expected an integer, found "a"',
      ],
    ],
    [
      'the number of a port in quotes',
      'apiVersion: v1\nkind: Service\nmetadata: {name: tea}\nspec: {ports: [{port: "80"}]}',
      ['tea.yaml:4:17: error: Service tea spec.ports[0].port: expected an integer, found "80"'],
    ],
    [
      'wrong types inside the template of pods',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: tea}\nspec: {template: {spec: {hostNetwork: "yes", containers: [{ports: [{containerPort: "80"}], readinessProbe: {httpGet: {port: true}}}]}}}',
      [
        'tea.yaml:4:26: error: Deployment tea spec.template.spec.hostNetwork: expected true or false, found "yes"',
        'tea.yaml:4:69: error: Deployment tea spec.template.spec.containers[0].ports[0].containerPort: expected an integer, found "80"',
        'tea.yaml:4:119: error: Deployment tea spec.template.spec.containers[0].readinessProbe.httpGet.port: expected an integer or a text, found the boolean true',
      ],
    ],
    [
      'no name',
      'apiVersion: v1\nkind: Service\nmetadata: null\nspec: {}',
      ['tea.yaml:3:1: error: Service (unnamed) metadata.name: expected a name, found none'],
    ],
  ])('%s', (_name, text, lines) => {
    const [found] = shaped(text)
    expect(found?.object).toBeUndefined()
    expect(found?.problems.map(printProblem)).toEqual(
      lines.map((line) => `${line}; this object is left out (CLI_OBJECT_SHAPE)`),
    )
  })
})

it('a field that its kind does not have is told, with the one that was meant', () => {
  const text =
    'apiVersion: v1\nkind: Service\nmetadata: {name: tea}\nspec: {selektor: {app: tea}, ports: [{port: 80, foo: 1}]}'
  const [found] = shaped(text)
  const rest = 'the field means nothing; kubectl apply refuses the object (CLI_UNKNOWN_FIELD)'
  expect(found?.object).toBeDefined()
  expect(found?.problems.map(printProblem)).toEqual([
    `tea.yaml:4:8: warning: Service default/tea spec.selektor: expected a field of this kind, found "selektor"; did you mean selector?; ${rest}`,
    `tea.yaml:4:49: warning: Service default/tea spec.ports[0].foo: expected a field of this kind, found "foo"; ${rest}`,
  ])
})

it('null fields are absent ones, as in the output of templates', () => {
  const [found] = shaped('apiVersion: v1\nkind: Service\nmetadata: {name: tea, labels: null}\nspec: null')
  expect(found).toEqual({
    object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'tea' } },
    problems: [],
  })
})

it.each([
  ['v1', 'Service', true],
  ['serving.knative.dev/v1', 'Service', false],
  ['extensions/v1beta1', 'Ingress', false],
  ['apps/v1', 'StatefulSet', true],
  ['multicluster.x-k8s.io/v1alpha1', 'ServiceImport', true],
  ['batch/v1', 'CronJob', false],
])('%s %s is read: %s', (apiVersion, kind, isRead) => {
  expect(isReadKind({ apiVersion, kind })).toBe(isRead)
})
