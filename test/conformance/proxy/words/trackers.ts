// service-change-tracker, endpointslice-change-tracker: events in words, on top of a base object.

import { createServiceChanges, createSliceChanges } from '@kubewire/iptables-gen'
import type { EndpointSlice, Service } from '@kubewire/kube-model'
import type { Checks } from './check.ts'

type Row = Readonly<Record<string, unknown>>

/** What each event of `service-change-tracker` does to the service. */
const serviceEvents: Readonly<Record<string, (service: Service) => Service>> = {
  add: (service) => service,
  'update: annotations and labels only': (service) => ({
    ...service,
    metadata: { ...service.metadata, labels: { changed: 'yes' }, annotations: { changed: 'yes' } },
  }),
  'update: targetPort of http': (service) =>
    withPorts(service, (port) => (port.name === 'http' ? { ...port, targetPort: 9999 } : port)),
  'update: selector': (service) => withSpec(service, { selector: { app: 'other' } }),
  'update: sessionAffinity ClientIP 300 s': (service) =>
    withSpec(service, { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 300 } } }),
  'update: sessionAffinity None again': (service) => {
    const { sessionAffinityConfig: _, ...spec } = service.spec ?? {}
    return { ...service, spec: { ...spec, sessionAffinity: 'None' } }
  },
  'update: port https removed': (service) =>
    withSpec(service, { ports: (service.spec?.ports ?? []).filter((port) => port.name !== 'https') }),
  'update: type ExternalName': (service) => ({
    ...service,
    spec: { type: 'ExternalName', externalName: 'x.example.org' },
  }),
  'status.loadBalancer.ingress set on a LoadBalancer': (service) => ({
    ...service,
    spec: { type: 'LoadBalancer', clusterIP: '10.96.14.1', ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
    status: { loadBalancer: { ingress: [{ ip: '198.51.100.9' }] } },
  }),
}

const otherService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'trk', name: 'other' },
  spec: { clusterIP: 'None', ports: [{ port: 80 }] },
}

export function serviceChangeTrackerCase(data: Row, checks: Checks): void {
  const tracker = createServiceChanges(4)
  let service = data['base'] as Service
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    const name = `steps[${i}] ${String(step['event'] ?? 'apply')}`
    if (step['apply'] === true) {
      tracker.accept()
      continue
    }
    const event = String(step['event'])
    const change = serviceEvents[event]
    let isRequested: boolean
    if (event.startsWith('update of another service')) isRequested = tracker.update(otherService)
    else if (event === 'delete') isRequested = tracker.update(service, true)
    else if (change === undefined) {
      checks.ok(name, false, `no test for the event ${event}`)
      continue
    } else {
      service = change(service)
      isRequested = tracker.update(service)
    }
    if (step['pending'] !== undefined) checks.equal(`${name} pending`, step['pending'], tracker.pending)
    if (step['syncRequested'] !== undefined) checks.equal(`${name} syncRequested`, step['syncRequested'], isRequested)
    if (step['ports'] !== undefined) checks.equal(`${name} ports`, step['ports'], [...tracker.ports()].sort())
    if (step['updatedServices'] !== undefined || step['portsAfterApply'] !== undefined) {
      // Taken over in a copy: the next event still finds the change pending.
      const copy = createServiceChanges(4)
      copy.update(service)
      if (step['portsAfterApply'] !== undefined)
        checks.equal(`${name} portsAfterApply`, step['portsAfterApply'], [...copy.ports()].sort())
      if (step['updatedServices'] !== undefined)
        checks.equal(`${name} updatedServices`, step['updatedServices'], [...copy.accept()])
    }
  }
}

function withSpec(service: Service, change: Partial<Service['spec'] & object>): Service {
  return { ...service, spec: { ...service.spec, ...change } }
}

function withPorts(
  service: Service,
  change: (
    port: NonNullable<NonNullable<Service['spec']>['ports']>[number],
  ) => NonNullable<NonNullable<Service['spec']>['ports']>[number],
): Service {
  return withSpec(service, { ports: (service.spec?.ports ?? []).map(change) })
}

function slice(
  name: string,
  change: Partial<EndpointSlice> = {},
  annotations?: Readonly<Record<string, string>>,
): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'trk',
      name,
      labels: { 'kubernetes.io/service-name': 'e' },
      ...(annotations === undefined ? {} : { annotations }),
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.244.1.1'] }],
    ...change,
  }
}

/** What each event of `endpointslice-change-tracker` tells the tracker. */
const sliceEvents: Readonly<Record<string, readonly [EndpointSlice, boolean]>> = {
  'add slice s1 (10.244.1.1)': [slice('s1'), false],
  'same s1 again (resync)': [slice('s1'), false],
  'same s1 again': [slice('s1'), false],
  's1 with another resourceVersion or annotation only': [slice('s1', {}, { changed: 'yes' }), false],
  's1 back to the applied text': [slice('s1'), false],
  'delete unknown slice s9': [slice('s9'), true],
  'add IPv6 slice (IPv4 proxier)': [
    slice('s6', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] }),
    false,
  ],
  'add FQDN slice': [slice('sf', { addressType: 'FQDN', endpoints: [{ addresses: ['x.example.org'] }] }), false],
  'add slice without the service-name label': [slice('sn', { metadata: { namespace: 'trk', name: 'sn' } }), false],
  'delete s1': [slice('s1'), true],
  'delete s1 again before apply': [slice('s1'), true],
  'slice with the service.kubernetes.io/headless label': [
    slice('sh', {
      metadata: {
        namespace: 'trk',
        name: 'sh',
        labels: { 'kubernetes.io/service-name': 'e', 'service.kubernetes.io/headless': '' },
      },
    }),
    false,
  ],
}

export function sliceChangeTrackerCase(data: Row, checks: Checks): void {
  const tracker = createSliceChanges(4)
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    if (step['apply'] === true) {
      checks.equal(`steps[${i}] apply`, step['updatedServices'], tracker.accept().services)
      continue
    }
    const event = String(step['event'])
    const told = sliceEvents[event]
    if (told === undefined) checks.ok(`steps[${i}] ${event}`, false, `no test for the event ${event}`)
    else checks.equal(`steps[${i}] ${event}`, step['changed'], tracker.update(...told))
  }
}
