import type { EndpointSlice, KubeObject, Service } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { describe, expect, test } from 'vitest'
import { assumeObjects } from './assume-objects.ts'

const tea = `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {selector: {app: tea}, ports: [{name: http, port: 80, targetPort: web}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tea, namespace: shop}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: tea}}
    spec: {containers: [{name: tea, ports: [{name: web, containerPort: 8080}]}]}
`

function assume(text: string): { readonly objects: readonly KubeObject[]; readonly notes: readonly string[] } {
  const { objects, problems } = assumeObjects(parseManifests(text, 'a.yaml').objects)
  return { objects, notes: problems.map(({ object, fallback }) => `${object.name}: ${fallback}`) }
}

const of = <T extends KubeObject>(objects: readonly KubeObject[], kind: string): T[] =>
  objects.filter((object) => object.kind === kind) as T[]

function placesOf(slices: readonly EndpointSlice[]): string[] {
  return slices.flatMap(({ endpoints = [], ports = [] }) =>
    endpoints.map(
      ({ addresses = [], hostname }) => `${hostname ?? '-'} ${addresses[0]} ${ports.map(({ port }) => port)}`,
    ),
  )
}

describe('a repository becomes a cluster', () => {
  test('a Service gets an address, endpoints from its Deployment, and its Namespace', () => {
    const { objects, notes } = assume(tea)
    expect(of<Service>(objects, 'Service')[0]?.spec).toMatchObject({ clusterIP: '10.96.190.189', ipFamilies: ['IPv4'] })
    expect(placesOf(of(objects, 'EndpointSlice'))).toEqual(['- 10.244.217.10 8080', '- 10.244.211.119 8080'])
    expect(of(objects, 'Namespace').map(({ metadata }) => metadata?.name)).toEqual(['shop'])
    expect(notes).toEqual(['tea: 10.96.190.189 is assumed', 'tea: 2 ready endpoints from Deployment shop/tea assumed'])
  })

  test('a StatefulSet gives its pods names in the headless Service it names', () => {
    const { objects } = assume(`apiVersion: v1
kind: Service
metadata: {name: db, namespace: data}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: pg, namespace: data}
spec: {replicas: 2, serviceName: db, template: {metadata: {labels: {app: db}}, spec: {}}}
`)
    expect(placesOf(of(objects, 'EndpointSlice'))).toEqual(['pg-0 10.244.194.155 5432', 'pg-1 10.244.200.46 5432'])
    expect(of<EndpointSlice>(objects, 'EndpointSlice')[0]?.metadata?.labels).toHaveProperty([
      'service.kubernetes.io/headless',
    ])
  })

  test('both families where the Service requires them', () => {
    const text = tea.replace('spec: {selector', 'spec: {ipFamilyPolicy: RequireDualStack, selector')
    const { objects } = assume(text)
    expect(of<Service>(objects, 'Service')[0]?.spec?.clusterIPs).toEqual(['10.96.190.189', 'fd00:10:96::bebd'])
    expect(of<EndpointSlice>(objects, 'EndpointSlice').map(({ addressType }) => addressType)).toEqual(['IPv4', 'IPv6'])
  })

  test('a node port is chosen where the type needs one', () => {
    const { objects } = assume(tea.replace('spec: {selector', 'spec: {type: NodePort, selector'))
    expect(of<Service>(objects, 'Service')[0]?.spec?.ports?.[0]?.nodePort).toBe(31_419)
  })

  test('what is there is left alone: slices, addresses, Namespaces', () => {
    const text = `${tea.replace('spec: {selector', 'spec: {clusterIP: 10.96.4.4, selector')}---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: tea-a, namespace: shop, labels: {kubernetes.io/service-name: tea}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`
    const { objects, notes } = assume(text)
    expect(notes).toEqual([])
    expect(objects).toHaveLength(4)
  })

  test('the class of ingress-nginx is there when there are Ingresses, unless files bring classes', () => {
    const ingress = 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a, namespace: shop}\n'
    const own = 'apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: own}\n'
    const classes = (text: string): unknown[] =>
      of(assume(text).objects, 'IngressClass').map((one) => one.metadata?.name)
    expect(classes(tea)).toEqual([])
    expect(classes(ingress)).toEqual(['nginx'])
    expect(classes(`${ingress}---\n${own}`)).toEqual(['own'])
  })

  test('a selector that selects nothing is worth a word', () => {
    expect(assume(tea.replace('selector: {app: tea}', 'selector: {app: milk}')).notes).toEqual([
      'tea: 10.96.190.189 is assumed',
      'tea: it has no endpoints',
    ])
  })

  test('the same files give the same assumptions in any order', () => {
    const reversed = tea.split('---\n').reverse().join('---\n')
    expect(placesOf(of(assume(reversed).objects, 'EndpointSlice'))).toEqual(
      placesOf(of(assume(tea).objects, 'EndpointSlice')),
    )
  })

  test('what is assumed for one Service stays as it is when others come and grow', () => {
    const of1 = assume(tea).objects
    const more = tea.replaceAll('name: tea', 'name: ale').replaceAll('app: tea', 'app: ale')
    const of2 = assume(`${more}---\n${tea.replace('replicas: 2', 'replicas: 3')}`).objects
    const teaOf = (objects: readonly KubeObject[], kind: string): KubeObject | undefined =>
      of(objects, kind).find(({ metadata }) => metadata?.name?.startsWith('tea'))
    expect(teaOf(of2, 'Service')).toEqual(teaOf(of1, 'Service'))
    const places = (objects: readonly KubeObject[]): string[] =>
      placesOf([teaOf(objects, 'EndpointSlice')].filter((one): one is EndpointSlice => one !== undefined))
    expect(places(of2).slice(0, 2)).toEqual(places(of1))
  })

  test('a Service may select one member of a StatefulSet by its name', () => {
    const { objects } = assume(`apiVersion: v1
kind: Service
metadata: {name: first, namespace: data}
spec: {selector: {statefulset.kubernetes.io/pod-name: pg-5}, ports: [{port: 5432}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: pg, namespace: data}
spec: {replicas: 2, ordinals: {start: 5}, template: {metadata: {labels: {app: db}}, spec: {}}}
`)
    expect(placesOf(of(objects, 'EndpointSlice'))).toHaveLength(1)
  })

  test('a DaemonSet has a pod on each Node of the files', () => {
    const node = (name: string): string => `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n---\n`
    const daemons = tea.replace('kind: Deployment', 'kind: DaemonSet')
    const slices = of<EndpointSlice>(assume(node('b') + node('a') + daemons).objects, 'EndpointSlice')
    expect(slices[0]?.endpoints?.map(({ nodeName }) => nodeName)).toEqual(['a', 'b'])
  })

  const pod = (name: string, rest: string): string =>
    `---\napiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop, labels: {app: tea}${rest}}\n`
  const service = tea.split('---\n')[0] ?? ''
  const conditionsOf = (text: string): unknown[] =>
    of<EndpointSlice>(assume(text).objects, 'EndpointSlice').flatMap(({ endpoints = [] }) =>
      endpoints.map(({ targetRef, conditions }) => [targetRef?.name, conditions]),
    )

  test('pods are endpoints as the controller has it: ready, not ready, on their way out, or none at all', () => {
    const pods =
      pod('a', '}\nstatus: {podIP: 10.244.1.1, phase: Running, conditions: [{type: Ready, status: "True"}]') +
      pod('b', '}\nstatus: {podIP: 10.244.1.2, conditions: [{type: Ready, status: "False"}]') +
      pod('c', ', deletionTimestamp: "2026-01-01T00:00:00Z"') +
      pod('d', '}\nstatus: {phase: Succeeded')
    expect(conditionsOf(service + pods)).toEqual([
      ['a', { ready: true, serving: true, terminating: false }],
      ['b', { ready: false, serving: false, terminating: false }],
      ['c', { ready: false, serving: true, terminating: true }],
    ])
    expect(assume(service + pods).notes.at(-1)).toMatch(/^tea: 1 ready endpoint and 2 not ready from /)
    const published = service.replace('spec: {', 'spec: {publishNotReadyAddresses: true, ')
    expect(conditionsOf(published + pods)).toContainEqual(['b', { ready: true, serving: false, terminating: false }])
  })

  test('a pod on the network of its node has the addresses of the node, and only their families', () => {
    const node =
      '---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {addresses: [{type: InternalIP, address: 192.0.2.11}]}\n'
    const dual = service.replace('spec: {', 'spec: {ipFamilyPolicy: RequireDualStack, ')
    const { objects } = assume(`${dual}${node}${pod('a', '}\nspec: {nodeName: n1, hostNetwork: true')}`)
    const addresses = of<EndpointSlice>(objects, 'EndpointSlice').flatMap(({ endpoints = [] }) => endpoints)
    expect(addresses.flatMap((one) => one.addresses)).toEqual(['192.0.2.11'])
  })

  test('pods that a workload would make on the network of their nodes have the addresses of one node each', () => {
    const node = (n: number): string =>
      `---\napiVersion: v1\nkind: Node\nmetadata: {name: n${n}}\nstatus: {addresses: [{type: InternalIP, address: 192.0.2.1${n}}]}\n`
    const workload =
      '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: tea, namespace: shop}\nspec: {replicas: 2, template: {metadata: {labels: {app: tea}}, spec: {hostNetwork: true}}}\n'
    const { objects } = assume(`${service}${node(1)}${node(2)}${workload}`)
    const addresses = of<EndpointSlice>(objects, 'EndpointSlice').flatMap(({ endpoints = [] }) => endpoints)
    expect(addresses.flatMap((one) => one.addresses)).toEqual(['192.0.2.11', '192.0.2.12'])
  })

  test('a Deployment, its ReplicaSet and their pods are one and the same pods', () => {
    const owned = (kind: string, name: string): string =>
      `, ownerReferences: [{apiVersion: apps/v1, kind: ${kind}, name: ${name}}]`
    const set = pod('tea-1', owned('Deployment', 'tea')).replace('v1\nkind: Pod', 'apps/v1\nkind: ReplicaSet')
    const sized = set.replace(/\n$/, '\nspec: {template: {metadata: {labels: {app: tea}}}}\n')
    const origins = (text: string): string | undefined => assume(text).notes.at(-1)
    expect(origins(tea + sized)).toBe('tea: 1 ready endpoint from ReplicaSet shop/tea-1 assumed')
    expect(origins(tea + sized + pod('tea-1-x', owned('ReplicaSet', 'tea-1')))).toBe(
      'tea: 1 ready endpoint from Pod shop/tea-1-x assumed',
    )
  })

  test('a workload without replicas is named: its labels are not to blame', () => {
    const { problems } = assumeObjects(parseManifests(tea.replace('replicas: 2', 'replicas: 0'), 'a.yaml').objects)
    expect(problems.at(-1)?.message).toBe('expected Pods that run, found none of Deployment shop/tea')
  })
})
