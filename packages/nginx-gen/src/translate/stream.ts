// TCP and UDP services of the two ConfigMaps: `port: namespace/service:port[:PROXY[:PROXY]]`.
// Source: ingress-nginx 1.15 controller.go getStreamServices; reference: TCP and UDP services.

import { type ObjectRef, type Problem, quoteFound, sortedEntries } from '@kubewire/kube-model'
import type { StreamService } from '../model/stream.ts'
import type { ReadContext } from './drafts.ts'
import { endpointsOf, type SlicesOf } from './endpoints.ts'

/** Exposed ports, TCP first, by number. */
export function streamServices(
  context: ReadContext,
  slicesOf: SlicesOf,
  problems: Problem[],
): readonly StreamService[] {
  const { options } = context
  return [
    ...servicesOf(options.tcpServices, 'TCP', context, slicesOf, problems),
    ...servicesOf(options.udpServices, 'UDP', context, slicesOf, problems),
  ]
}

function servicesOf(
  reference: string | undefined,
  protocol: 'TCP' | 'UDP',
  context: ReadContext,
  slicesOf: SlicesOf,
  problems: Problem[],
): StreamService[] {
  const [namespace = '', name = ''] = (reference ?? '').split('/')
  const object: ObjectRef = { kind: 'ConfigMap', namespace, name }
  const services: StreamService[] = []
  for (const [key, value] of sortedEntries(context.snapshot.configMaps.get(name, namespace)?.data)) {
    const service = readStream(key, String(value), protocol, context, slicesOf)
    if (typeof service !== 'string') services.push(service)
    else {
      const fallback = `${protocol} port ${quoteFound(key)} is not exposed`
      problems.push({
        code: 'NGX_STREAM',
        severity: 'warning',
        object,
        path: `data["${key}"]`,
        message: service,
        fallback,
      })
    }
  }
  return services.sort((a, b) => a.port - b.port)
}

function readStream(
  key: string,
  value: string,
  protocol: 'TCP' | 'UDP',
  context: ReadContext,
  slicesOf: SlicesOf,
): StreamService | string {
  const port = /^[0-9]{1,5}$/.test(key) ? Number(key) : 0
  if (port < 1 || port > 65535) return `expected a port number, got ${quoteFound(key)}`
  if (reservedPorts(context).has(port)) return 'the port is used by the controller itself'
  const [reference = '', servicePort, accepts, sends, ...rest] = value.trim().split(':')
  const match = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(reference)
  if (match === null || !servicePort) {
    return `expected namespace/service:port, got ${quoteFound(value)}`
  }
  const [, namespace = '', name = ''] = match
  const service = context.snapshot.services.get(name, namespace)
  if (service === undefined) return `Service ${namespace}/${name} does not exist`
  const found = service.spec?.ports?.find(
    (candidate) =>
      (candidate.protocol ?? 'TCP') === protocol &&
      (/^[0-9]+$/.test(servicePort) ? candidate.port === Number(servicePort) : candidate.name === servicePort),
  )
  if (found === undefined) return `Service ${namespace}/${name} has no ${protocol} port ${quoteFound(servicePort)}`
  const endpoints = endpointsOf(service, found, protocol, slicesOf, context.options)
  if (endpoints.length === 0) return `Service ${namespace}/${name} has no ready endpoint`
  const isProxy = (word: string | undefined): boolean => protocol === 'TCP' && word?.toUpperCase() === 'PROXY'
  return {
    protocol,
    port,
    service: { kind: 'Service', namespace, name },
    servicePort,
    acceptsProxyProtocol: isProxy(accepts),
    // COMPAT: with a further word behind it the second one does not count (getStreamServices).
    sendsProxyProtocol: isProxy(sends) && rest.length === 0,
    endpoints,
  }
}

function reservedPorts({ options }: ReadContext): ReadonlySet<number> {
  const {
    httpPort,
    httpsPort,
    passthroughProxyPort,
    healthzPort,
    defaultServerPort,
    profilerPort,
    statusPort,
    streamPort,
  } = options
  return new Set([
    httpPort,
    httpsPort,
    passthroughProxyPort,
    healthzPort,
    defaultServerPort,
    profilerPort,
    statusPort,
    streamPort,
  ])
}
