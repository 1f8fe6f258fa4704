// EndpointSlices of one Service → its endpoints per port. Slices are visited in name order (the original visits them
// in no fixed order), so equal input gives equal output.

import {
  compareText,
  type Endpoint,
  type EndpointPort,
  type EndpointSlice,
  type Ip,
  type IpFamily,
  type Problem,
  parseIpSloppy,
  quoteFound,
  refOf,
  serviceNameLabel,
  type WithProblems,
  withProblems,
} from '@kubewire/kube-model'
import { type EndpointFacts, endpointFacts } from './endpoint.ts'

/** Endpoints by `portName/PROTOCOL`, each list ordered by text. */
export type EndpointsByPort = ReadonlyMap<string, readonly EndpointFacts[]>

const headlessLabel = 'service.kubernetes.io/headless'

/** `namespace/name` of the Service a slice belongs to; `undefined` when the family's proxier ignores the slice. */
export function sliceServiceKey(slice: EndpointSlice, family: IpFamily): string | undefined {
  const labels = slice.metadata?.labels
  const service = labels?.[serviceNameLabel]
  if (slice.addressType !== (family === 4 ? 'IPv4' : 'IPv6') || !service || labels?.[headlessLabel] !== undefined)
    return undefined
  return `${slice.metadata?.namespace ?? ''}/${service}`
}

/** The key under which `mergeSlices` keeps a port's endpoints. */
export function endpointsKey(portName: string, protocol: string): string {
  return `${portName}/${protocol}`
}

/**
 * Merges the slices of one Service.
 *
 * @returns endpoints per port, and problems `IPT_ENDPOINT_ADDRESS`, `IPT_ENDPOINT_PORT` for what was left out
 * @see kube-proxy pkg/proxy/endpointslicecache.go
 */
export function mergeSlices(
  slices: readonly EndpointSlice[],
  options: { readonly family: IpFamily; readonly nodeName: string },
): WithProblems<EndpointsByPort> {
  const problems: Problem[] = []
  const byPort = new Map<string, EndpointFacts[]>()
  const ordered =
    slices.length < 2 ? slices : slices.toSorted((a, b) => compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''))
  for (const slice of ordered) addSlice(slice, options, byPort, problems)
  for (const [key, endpoints] of byPort) if (!isInOrder(endpoints)) byPort.set(key, uniqueInOrder(endpoints))
  return withProblems(byPort, problems)
}

function isInOrder(endpoints: readonly EndpointFacts[]): boolean {
  for (let i = 1; i < endpoints.length; i++)
    if ((endpoints[i - 1] as EndpointFacts).text >= (endpoints[i] as EndpointFacts).text) return false
  return true
}

function uniqueInOrder(endpoints: readonly EndpointFacts[]): EndpointFacts[] {
  const unique: EndpointFacts[] = []
  for (const facts of endpoints.toSorted((a, b) => compareText(a.text, b.text))) {
    const last = unique.at(-1)
    if (last?.text !== facts.text) unique.push(facts)
    // A pod address may be handed on while the old pod still terminates: the running one counts.
    else if (!facts.isTerminating) unique[unique.length - 1] = facts
  }
  return unique
}

function addSlice(
  slice: EndpointSlice,
  { family, nodeName }: { readonly family: IpFamily; readonly nodeName: string },
  byPort: Map<string, EndpointFacts[]>,
  problems: Problem[],
): void {
  const list = slice.endpoints ?? none
  const addresses: (Ip | undefined)[] = []
  for (let i = 0; i < list.length; i++) {
    const text = list[i]?.addresses?.[0]
    const ip = text === undefined ? undefined : parseIpSloppy(text)
    const isOurs = ip?.family === family
    addresses.push(isOurs ? ip : undefined)
    if (text !== undefined && !isOurs)
      problems.push(
        refusal(
          slice,
          'IPT_ENDPOINT_ADDRESS',
          `endpoints[${i}]`,
          `expected an address of family ${family}, found ${quoteFound(text)}`,
        ),
      )
  }
  const ports = slice.ports ?? none
  for (let i = 0; i < ports.length; i++) {
    const { name = '', port = 0, protocol = 'TCP' } = ports[i] as EndpointPort
    if (port === 0) continue
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      const message = `expected a port number, found ${quoteFound(port)}`
      problems.push(refusal(slice, 'IPT_ENDPOINT_PORT', `ports[${i}]`, message))
      continue
    }
    const key = endpointsKey(name, protocol)
    const endpoints = byPort.get(key) ?? []
    byPort.set(key, endpoints)
    for (let j = 0; j < list.length; j++) {
      const ip = addresses[j]
      if (ip !== undefined) endpoints.push(endpointFacts(list[j] as Endpoint, ip, port, nodeName))
    }
  }
}

const none: readonly never[] = []

function refusal(slice: EndpointSlice, code: string, path: string, message: string): Problem {
  return { code, severity: 'warning', object: refOf(slice, 'EndpointSlice'), path, message, fallback: 'it is left out' }
}
