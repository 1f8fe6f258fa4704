// EndpointSlices of one Service → its endpoints per port. Slices are visited in name order (the original visits them
// in no fixed order), so equal input gives equal output.

import {
  compareText,
  type EndpointSlice,
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
  const byPort = new Map<string, Map<string, EndpointFacts>>()
  const ordered =
    slices.length < 2 ? slices : slices.toSorted((a, b) => compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''))
  for (const slice of ordered) addSlice(slice, options, byPort, problems)
  const merged = new Map<string, readonly EndpointFacts[]>()
  for (const [key, endpoints] of byPort)
    merged.set(
      key,
      [...endpoints.values()].sort((a, b) => compareText(a.text, b.text)),
    )
  return withProblems(merged, problems)
}

function addSlice(
  slice: EndpointSlice,
  { family, nodeName }: { readonly family: IpFamily; readonly nodeName: string },
  byPort: Map<string, Map<string, EndpointFacts>>,
  problems: Problem[],
): void {
  const refuse = (code: string, path: string, message: string): void => {
    const object = refOf(slice, 'EndpointSlice')
    problems.push({ code, severity: 'warning', object, path, message, fallback: 'it is left out' })
  }
  const list = slice.endpoints ?? []
  const addresses = list.map(({ addresses: [text] = [] }, i) => {
    const ip = text === undefined ? undefined : parseIpSloppy(text)
    if (ip?.family === family) return ip
    if (text !== undefined)
      refuse(
        'IPT_ENDPOINT_ADDRESS',
        `endpoints[${i}]`,
        `expected an address of family ${family}, found ${quoteFound(text)}`,
      )
    return undefined
  })
  for (const [i, { name = '', port = 0, protocol = 'TCP' }] of (slice.ports ?? []).entries()) {
    if (port === 0) continue
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      refuse('IPT_ENDPOINT_PORT', `ports[${i}]`, `expected a port number, found ${quoteFound(port)}`)
      continue
    }
    const key = endpointsKey(name, protocol)
    const endpoints = byPort.get(key) ?? new Map<string, EndpointFacts>()
    byPort.set(key, endpoints)
    for (let j = 0; j < list.length; j++) {
      const ip = addresses[j]
      const endpoint = list[j]
      if (ip === undefined || endpoint === undefined) continue
      const facts = endpointFacts(endpoint, ip, port, nodeName)
      // A pod address may be handed on while the old pod still terminates: the running one counts.
      if (!endpoints.has(facts.text) || !facts.isTerminating) endpoints.set(facts.text, facts)
    }
  }
}
