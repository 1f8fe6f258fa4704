// Checks for a folder of somebody's own: made from what its Services and Ingresses are, not from what we know of them.

import type { Cluster, Resource } from '@kubewire/informer'
import { EndpointSlices, Ingresses, Services } from '@kubewire/informer/resources'
import {
  type ClusterSnapshot,
  type Ingress,
  joinHostPort,
  type KubeObject,
  keyOf,
  type Service,
  snapshotOf,
  sortedObjects,
} from '@kubewire/kube-model'
import { readyEndpoints, slicesOf } from '../../lint/slices-of.ts'
import { demoNetwork } from '../plan.ts'
import type { DemoWorld } from '../world.ts'
import { type Check, programCheck } from './check.ts'
import { curlHost } from './ingress.ts'

// The demo's own furniture is not what people want to see.
const ownNamespaces = new Set(['default/kubernetes', 'kube-system/kube-dns', 'ingress-nginx/ingress-nginx-controller'])

// Enough to see that it works; a folder of hundreds is not walked through.
const maxOfEach = 15

/** Checks for every Service and Ingress of the running cluster, up to a limit. */
export async function anyClusterChecks(world: DemoWorld): Promise<readonly Check[]> {
  const snapshot = await snapshotOfCluster(world)
  const services = sortedObjects(snapshot.services).filter((service) => !ownNamespaces.has(keyOf(service)))
  return [
    ...services.slice(0, maxOfEach).flatMap((service) => serviceChecks(snapshot, service)),
    ...sortedObjects(snapshot.ingresses).slice(0, maxOfEach).flatMap(ingressChecksOf),
  ]
}

async function snapshotOfCluster({ cluster }: DemoWorld): Promise<ClusterSnapshot> {
  return snapshotOf([
    ...(await listed(cluster, Services)),
    ...(await listed(cluster, EndpointSlices)),
    ...(await listed(cluster, Ingresses)),
  ])
}

async function listed<T extends KubeObject>(cluster: Cluster, resource: Resource<T>): Promise<readonly T[]> {
  const page = await cluster.source(resource).list({}, AbortSignal.timeout(10_000))
  const objects: T[] = []
  // Lists do not repeat what their items are.
  for await (const object of page.items) objects.push({ ...object, kind: resource.kind })
  return objects
}

/** What a Service of any type promises: a name, and an answer where somebody is ready to give one. */
export function serviceChecks(snapshot: ClusterSnapshot, service: Service): readonly Check[] {
  const { type, clusterIP = '', ports = [] } = service.spec ?? {}
  const { name = '', namespace = '' } = service.metadata ?? {}
  const dnsName = `${name}.${namespace}.svc.cluster.local`
  const dig = ['dig', '+short', `@${demoNetwork.dnsService}`, dnsName] as const
  const isReady = readyEndpoints(slicesOf(snapshot, service)).length > 0
  const isAnswered = { isInTour: true }
  const isReached = { isInTour: true, needsNode: true }
  if (type === 'ExternalName') {
    const target = service.spec?.externalName ?? ''
    const digest = (output: string): string => output.split('\n')[0] ?? ''
    return [
      programCheck(`${namespace}/${name} leads on`, 'client', dig, `${target.replace(/\.$/, '')}.`, {
        ...isAnswered,
        digest,
      }),
    ]
  }
  if (clusterIP === 'None') {
    return isReady
      ? [programCheck(`${namespace}/${name} has its endpoints`, 'client', dig, /^[0-9a-f.:\n]+$/, isAnswered)]
      : []
  }
  const checks = [programCheck(`${namespace}/${name} has its address`, 'client', dig, clusterIP, isAnswered)]
  const port = ports.find(({ protocol = 'TCP' }) => protocol === 'TCP')?.port
  if (port === undefined) return checks
  const url = `http://${joinHostPort(clusterIP, port)}/`
  const curl = ['curl', '-sS', '-g', '--max-time', '10'] as const
  const answers = isReady
    ? programCheck(`${namespace}/${name} answers`, 'client', [...curl, url], / got GET \/ host /, isReached)
    : programCheck(
        `${namespace}/${name} has nobody and refuses`,
        'client',
        [...curl, '-o', '/dev/null', '-w', 'exit %{exitcode}', url],
        'exit 7',
        isReached,
      )
  return [...checks, answers]
}

/** What an Ingress promises: that each of its paths is answered by somebody, if only with the way to HTTPS. */
export function ingressChecksOf(ingress: Ingress): readonly Check[] {
  const tlsHosts = new Set((ingress.spec?.tls ?? []).flatMap(({ hosts = [] }) => hosts))
  return (ingress.spec?.rules ?? []).flatMap(({ host, http }) => {
    if (host === undefined || host.startsWith('*')) return []
    return (http?.paths ?? []).map(({ path = '/' }) => {
      const [plain = '/'] = /^\/[\w/.-]*/.exec(path) ?? []
      const url = `${tlsHosts.has(host) ? 'https' : 'http'}://${host}${plain}`
      const command = curlHost(url, '-k', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}')
      return programCheck(`${keyOf(ingress)} serves ${url}`, 'outside', command, /^[1-4][0-9][0-9]/, {
        isInTour: true,
        needsNode: true,
      })
    })
  })
}
