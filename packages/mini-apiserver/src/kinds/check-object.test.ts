import { parseManifests } from '@kubewire/kube-model/manifest'
import { describe, expect, it } from 'vitest'
import { checkObject } from './check-object.ts'

const service = (spec: string): string => `apiVersion: v1\nkind: Service\nmetadata: {name: tea}\nspec: ${spec}\n`
const path = (text: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: tea}\nspec: {rules: [{http: {paths: [${text}]}}]}\n`
const backend = 'backend: {service: {name: tea, port: {number: 80}}}'

describe('the server would refuse', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing of a plain Service', service('{ports: [{port: 80}]}'), []],
    ['nothing of a headless one', service('{clusterIP: None, selector: {app: tea}}'), []],
    ['nothing of an address in its list', service('{clusterIPs: [10.96.0.9], ports: [{port: 80}]}'), []],
    [
      'a policy that is none',
      service('{type: NodePort, externalTrafficPolicy: Lokal, ports: [{port: 80}]}'),
      ['spec.externalTrafficPolicy: Unsupported value: "Lokal": supported values: "Cluster", "Local"'],
    ],
    [
      'a type that is none',
      service('{type: Foo, ports: [{port: 80}]}'),
      [
        'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'a node port where the type has none',
      service('{ports: [{port: 80, nodePort: 30080}]}'),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'two ports without names',
      service('{ports: [{port: 80}, {port: 81}]}'),
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    ['nothing of a plain Ingress', path(`{path: /, pathType: Prefix, ${backend}}`), []],
    [
      'a type of path that is none',
      path(`{path: /, pathType: Wild, ${backend}}`),
      [
        'spec.rules[0].http.paths[0].pathType: Unsupported value: "Wild": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
    ],
    [
      'a prefix that is no path',
      path(`{path: tea, pathType: Prefix, ${backend}}`),
      ['spec.rules[0].http.paths[0].path: Invalid value: "tea": must be an absolute path'],
    ],
  ])('%s', (_, text, expected) => {
    const faults = parseManifests(text, 'a.yaml').objects.flatMap(checkObject)
    expect(faults.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  })
})
