// Packets and requests through the same rules and configuration, simulated: what the demo shows where there is no root.

import { buildRuleset, simulatePacket } from '@kubewire/iptables-gen'
import { type ClusterSnapshot, contains } from '@kubewire/kube-model'
import { printOutcome } from '@kubewire/nginx-gen'
import { summarizeOutcomes } from '../../ask/packet-summary.ts'
import { parsePlace } from '../../ask/proxy-place.ts'
import { simulateIngress } from '../../ask/simulate-ingress.ts'
import { translateInput } from '../../input/ingress-input.ts'
import { localAddresses, nodeOf, proxyOptionsOf } from '../../input/proxy-input.ts'
import type { Check } from './check.ts'

/** One packet: from, to, what becomes of it, and the fact. */
type PacketRow = readonly [from: string, to: string, expected: string, name: string]

const packetRows: readonly PacketRow[] = [
  [
    'pod/shop/toolbox',
    'service/shop/tea',
    '10.244.1.11:8080 33.3%, 10.244.1.12:8080 33.3%, 10.244.2.11:8080 33.3%',
    'a cluster address reaches every ready endpoint with the same chance',
  ],
  ['pod/shop/toolbox', 'service/shop/orders', '10.244.1.31:8080', 'endpoints that are not ready get nothing'],
  ['pod/shop/toolbox', 'service/shop/archive', 'reject icmp-port-unreachable', 'no endpoints means a refusal'],
  [
    'pod/shop/toolbox',
    'service/shop/events',
    '10.244.1.51:5005 50%, 10.244.1.52:5005 50%',
    'datagrams are spread over the endpoints of a UDP Service',
  ],
  [
    '2001:db8::99',
    '[2001:db8::11]:30081',
    '[fd00:10:244:1::21]:8080 50% masqueraded, [fd00:10:244:2::21]:8080 50% masqueraded',
    'a node port works on IPv6 and hides the client',
  ],
  [
    '192.0.2.99',
    'node/node-1:30081',
    '10.244.1.21:8080 50% masqueraded, 10.244.2.21:8080 50% masqueraded',
    'a node port reaches every endpoint and hides the client',
  ],
  ['192.0.2.99', '203.0.113.20:80', '10.244.1.61:8080', 'externalTrafficPolicy Local keeps node and client address'],
  ['198.51.100.7', '203.0.113.21:80', '10.244.1.71:8080 masqueraded', 'source ranges let the partner in'],
  ['192.0.2.99', '203.0.113.21:80', 'drop', 'and nobody else'],
  ['192.0.2.99', '203.0.113.30:8000', '10.244.1.81:8080 masqueraded', 'an external IP reaches its Service'],
  ['192.0.2.99', '192.0.2.11:22', 'untouched', 'a port that belongs to no Service is left alone'],
]

/** One request: URL, headers, what becomes of it, and the fact. */
type RequestRow = readonly [url: string, headers: { readonly [name: string]: string }, expected: string, name: string]

const requestRows: readonly RequestRow[] = [
  ['https://shop.example.org/', {}, 'goes to shop-tea-http as GET /', 'a host has its Service'],
  [
    'http://shop.example.org/cup',
    {},
    'answers 308 to https://shop.example.org/cup',
    'HTTP is sent to HTTPS where there is a certificate',
  ],
  ['https://shop.example.org/coffee/black', {}, 'goes to shop-coffee-80 as GET /coffee/black', 'a longer path wins'],
  [
    'https://shop.example.org/coffeehouse',
    {},
    'goes to shop-tea-http as GET /coffeehouse',
    'but only on whole segments',
  ],
  ['http://api.example.org/v1/orders/7', {}, 'goes to shop-orders-http as GET /orders/7', 'a path is rewritten'],
  ['http://old.example.org/', {}, 'answers 301 to https://shop.example.org', 'an address that moved says where'],
  [
    'http://nobody.example.org/',
    {},
    'goes to upstream-default-backend as GET /',
    'unknown hosts have the default backend',
  ],
]

/** The packets. */
export const simulatedPackets: readonly Check<ClusterSnapshot>[] = packetRows.map(packetCheck)

/** The requests. */
export const simulatedRequests: readonly Check<ClusterSnapshot>[] = requestRows.map(requestCheck)

const noFlags = { node: 'node-1', 'cluster-cidr': ['10.244.0.0/16', 'fd00:10:244::/48'], 'masquerade-all': false }

function packetCheck([from, to, expected, name]: PacketRow): Check<ClusterSnapshot> {
  return {
    name,
    expected,
    asked: () => `[simulated] packet from ${from} to ${to}`,
    ask: async (snapshot) => {
      const source = parsePlace(from, snapshot)
      const target = parsePlace(to, snapshot)
      const { ruleset } = buildRuleset(snapshot, proxyOptionsOf(snapshot, noFlags, target.ip.family))
      const machine = { localAddresses: localAddresses(nodeOf(snapshot, noFlags)) }
      const isLocal = machine.localAddresses.some((cidr) => contains(cidr, source.ip))
      const packet = {
        entry: isLocal ? ('local' as const) : ('arriving' as const),
        protocol: target.protocol ?? 'tcp',
        source: source.ip,
        destination: target.ip,
        ...(target.port === undefined ? {} : { destinationPort: target.port }),
      }
      return summarizeOutcomes(simulatePacket(ruleset, packet, machine).outcomes)
    },
  }
}

function requestCheck([url, headers, expected, name]: RequestRow): Check<ClusterSnapshot> {
  return {
    name,
    expected,
    asked: () => `[simulated] GET ${url}`,
    ask: async (snapshot) => {
      const { value: model } = translateInput(snapshot, ingressDefaults)
      const { protocol, host, pathname, search } = new URL(url)
      const scheme = protocol === 'https:' ? 'https' : 'http'
      const request = { scheme, host, path: pathname + search, headers } as const
      return printOutcome(simulateIngress(model, request).outcome)
    },
  }
}

const ingressDefaults = {
  configmap: '',
  'ingress-class': 'nginx',
  'controller-class': 'k8s.io/ingress-nginx',
  'watch-ingress-without-class': false,
}
