// `--from` and `--to` of a packet: addresses, or objects by name.

import { type ClusterSnapshot, type Ip, keyOf, parseIp, type ServicePort, sortedObjects } from '@kubewire/kube-model'
import { assumedPods } from '../assume/assume-pods.ts'
import { UsageError } from '../exit-code.ts'
import { isOneEditAway } from '../hints/one-edit-away.ts'
import type { Output } from '../output.ts'

/** One end of a connection. */
export interface Place {
  readonly ip: Ip
  readonly port?: number
  /** Of the Service port, where one was named. */
  readonly protocol?: string
  /** The address of a pod that has none yet. */
  readonly isAssumed?: boolean
}

/**
 * Reads `192.0.2.9`, `192.0.2.9:80`, `[2001:db8::9]:80`, `pod/NAMESPACE/NAME`, `service/NAMESPACE/NAME[:PORT]`,
 * `node/NAME[:PORT]`; a port of a Service is its name or number, by default its first.
 *
 * @throws UsageError when it is none of these, or names an object that is not there
 */
export function parsePlace(text: string, snapshot: ClusterSnapshot): Place {
  const [, kind = '', rest = ''] = /^(pod|service|node)\/(.+)$/.exec(text) ?? []
  if (kind === 'service') return servicePlace(rest, snapshot)
  if (kind === 'pod') return podPlace(rest, snapshot)
  if (kind === 'node') return nodePlace(rest, snapshot)
  return addressPlace(text)
}

/** Says where an address is none that the objects hold. */
export function noteAssumed(text: string, snapshot: ClusterSnapshot, output: Pick<Output, 'note'>): void {
  const { ip, isAssumed = false } = parsePlace(text, snapshot)
  if (isAssumed) output.note(`${text} has no address yet; ${ip.text} is assumed\n`)
}

/** Says which port of a Service is asked where none is named and there are several. */
export function notePort(text: string, snapshot: ClusterSnapshot, output: Pick<Output, 'note'>): void {
  const [, namespace = '', name = ''] = /^service\/([^/]+)\/([^/:]+)$/.exec(text) ?? []
  const ports = snapshot.services.get(name, namespace)?.spec?.ports ?? []
  const [first] = ports
  if (first === undefined || ports.length < 2) return
  const asked = `${first.port}/${(first.protocol ?? 'TCP').toLowerCase()}`
  output.note(`port ${asked}, the first of ${ports.length}, is asked (${text}:PORT asks another)\n`)
}

function addressPlace(text: string): Place {
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:[\]]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*))(?::([0-9]+))?$/.exec(text) ?? []
  const ip = parseIp(bracketed ?? plain ?? '')
  if (ip === undefined) {
    throw new UsageError(
      `expected an address, ADDRESS:PORT, pod/NAMESPACE/NAME, service/NAMESPACE/NAME or node/NAME, found ${JSON.stringify(text)}`,
    )
  }
  return port === undefined ? { ip } : { ip, port: portNumber(port) }
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^[0-9]+$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`expected a port from 1 to 65535, found ${JSON.stringify(text)}`)
  return port
}

function servicePlace(text: string, snapshot: ClusterSnapshot): Place {
  const [key = '', wanted] = text.split(':')
  const [namespace = '', name = ''] = key.split('/')
  const service = snapshot.services.get(name, namespace)
  if (service === undefined)
    throw missing(
      'Service',
      key,
      [...snapshot.services].map((one) => keyOf(one)),
    )
  const { clusterIP = '', clusterIPs = [clusterIP], ports = [] } = service.spec ?? {}
  const ip = parseIp(clusterIPs[0] ?? '')
  if (ip === undefined) throw new UsageError(`expected a Service with a cluster IP, Service ${key} has none`)
  const port = findPort(ports, wanted)
  if (port === undefined) {
    const known = ports.map((candidate) => candidate.name ?? candidate.port).join(', ')
    throw new UsageError(`expected a port of Service ${key} (${known}), found ${JSON.stringify(wanted ?? '')}`)
  }
  return { ip, port: port.port, protocol: (port.protocol ?? 'TCP').toLowerCase() }
}

function findPort(ports: readonly ServicePort[], wanted: string | undefined): ServicePort | undefined {
  if (wanted === undefined) return ports[0]
  return ports.find((port) => port.name === wanted) ?? ports.find((port) => String(port.port) === wanted)
}

function podPlace(key: string, snapshot: ClusterSnapshot): Place {
  const [namespace = '', name = ''] = key.split('/')
  const pod = snapshot.pods.get(name, namespace)
  const known = parseIp(pod?.status?.podIP ?? '')
  if (known !== undefined) return { ip: known }
  const endpoint = podEndpoints(snapshot).get(key)
  if (pod === undefined && endpoint === undefined) {
    throw missing('Pod', key, [...[...snapshot.pods].map((one) => keyOf(one)), ...podEndpoints(snapshot).keys()])
  }
  // Files say nothing of addresses: the pod has the one under which Services know it, else the one that they would.
  const assumed = assumedPods([...snapshot.pods, ...snapshot.nodes]).find(
    (one) => one.namespace === namespace && one.name === name,
  )
  const ip = parseIp(endpoint ?? assumed?.ipv4 ?? '')
  if (ip === undefined) throw new UsageError(`expected a Pod with an address, Pod ${key} has none; name an address`)
  return { ip, isAssumed: true }
}

/** Addresses of pods as endpoints of Services, also of pods that workloads of the files would make. */
function podEndpoints(snapshot: ClusterSnapshot): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { endpoints = [] } of sortedObjects(snapshot.endpointSlices)) {
    for (const { targetRef, addresses = [] } of endpoints) {
      const key = `${targetRef?.namespace}/${targetRef?.name}`
      if (targetRef?.kind === 'Pod' && addresses[0] !== undefined && !found.has(key)) found.set(key, addresses[0])
    }
  }
  return found
}

function nodePlace(text: string, snapshot: ClusterSnapshot): Place {
  const [name = '', port] = text.split(':')
  const node = snapshot.nodes.get(name)
  if (node === undefined) {
    const { message } = missing(
      'Node',
      name,
      [...snapshot.nodes].map((one) => keyOf(one)),
    )
    throw new UsageError(`${message}; its address does as well`)
  }
  const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? ''
  const ip = parseIp(address)
  if (ip === undefined) throw new UsageError(`expected a Node with an InternalIP, Node ${name} has none`)
  return port === undefined ? { ip } : { ip, port: portNumber(port) }
}

function missing(kind: string, key: string, keys: readonly string[]): UsageError {
  const known = [...new Set(keys)].sort()
  const name = key.split('/').at(-1) ?? ''
  const meant = known.filter((one) => one.split('/').at(-1) === name || isOneEditAway(one, key))
  const shown = (meant.length > 0 ? meant : known).slice(0, 5)
  const more = meant.length === 0 && known.length > shown.length ? ` and ${known.length - shown.length} more` : ''
  const there =
    known.length === 0 ? `there is no ${kind}` : `there ${shown.length === 1 ? 'is' : 'are'} ${shown.join(', ')}${more}`
  return new UsageError(`expected ${kind} ${key} among the objects, ${there}`)
}
