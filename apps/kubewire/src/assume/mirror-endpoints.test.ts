import type { EndpointSlice } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, test } from 'vitest'
import { assumeObjects } from './assume-objects.ts'

const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: shop}\nspec: '
const plain = `${service}{ports: [{name: sql, port: 5432}]}\n---\n`
const selecting = `${service}{selector: {app: db}, ports: [{name: sql, port: 5432}]}\n---\n`
const endpoints = (metadata = ''): string => `apiVersion: v1
kind: Endpoints
metadata: {name: db, namespace: shop${metadata}}
subsets:
  - addresses: [{ip: 192.0.2.10, hostname: a}, {ip: "2001:db8::10"}]
    notReadyAddresses: [{ip: 192.0.2.11}]
    ports: [{name: sql, port: 5433}]
---
`
const slice = `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: db-a, namespace: shop, labels: {kubernetes.io/service-name: db}}
addressType: IPv4
ports: [{name: sql, port: 5434, protocol: TCP}]
endpoints: [{addresses: [192.0.2.20]}]
`
const pod = `apiVersion: v1
kind: Pod
metadata: {name: db-0, namespace: shop, labels: {app: db}}
spec: {containers: [{name: db}]}
status: {podIP: 192.0.2.30}
`
// One slice for each family.
const mirrored = ['192.0.2.10:5433', '192.0.2.11:5433 not ready', '2001:db8::10:5433']
const note = 'db: 2 ready endpoints and 1 not ready from Endpoints shop/db assumed'

test.each<[string, string, readonly string[], readonly string[]]>([
  ['a Service without a selector has those of its Endpoints', plain + endpoints(), mirrored, [note]],
  ['EndpointSlices come first', plain + endpoints() + slice, ['192.0.2.20:5434'], []],
  [
    'pods that the Service selects come first: the Endpoints of a cluster would be made of them',
    selecting + endpoints() + pod,
    ['192.0.2.30:5432'],
    ['db: 1 ready endpoint from Pod shop/db-0 assumed'],
  ],
  ['where there are no such pods the Endpoints are what a cluster has said', selecting + endpoints(), mirrored, [note]],
  [
    'Endpoints that ask not to be mirrored',
    plain + endpoints(', labels: {endpointslice.kubernetes.io/skip-mirror: "true"}'),
    [],
    [],
  ],
  ['a lock of old', plain + endpoints(', annotations: {control-plane.alpha.kubernetes.io/leader: "{}"}'), [], []],
  ['Endpoints of no Service', endpoints(), [], []],
])('%s', (_, text, places, notes) => {
  const { objects, problems } = assumeObjects(parseManifests(text, 'a.yaml').objects)
  const slices = objects.filter((object): object is EndpointSlice => object.kind === 'EndpointSlice')
  const found = slices.flatMap(({ endpoints: list = [], ports = [] }) =>
    list.map(
      ({ addresses, conditions }) =>
        `${addresses?.[0]}:${ports[0]?.port}${conditions?.ready === false ? ' not ready' : ''}`,
    ),
  )
  expect(found).toEqual(places)
  expect(
    problems
      .filter(({ code }) => code === 'CLI_ASSUMED_ENDPOINTS')
      .map(({ object, fallback }) => `${object.name}: ${fallback}`),
  ).toEqual(notes)
})
