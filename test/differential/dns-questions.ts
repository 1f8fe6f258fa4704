// Questions about a random cluster: names that exist, names that nearly exist, and names that never could.

import type { DnsCaseQuery } from '@kubewire/dns-core/cases'
import type { RandomCluster } from './dns-cluster.ts'
import type { Seeded } from './seeded.ts'

const types = [
  'A',
  'A',
  'A',
  'AAAA',
  'AAAA',
  'SRV',
  'SRV',
  'SRV',
  'PTR',
  'TXT',
  'CNAME',
  'MX',
  'SOA',
  'NS',
  'ANY',
  'CAA',
  'DS',
  'HTTPS',
  'NAPTR',
  'AXFR',
  'IXFR',
  'TYPE65280',
]
const ports = ['_http', '_dns', '_a', 'http', '_', '_pin', '_5432', '_x-y', '_metrics', '_dns-tcp']
const protocols = ['_tcp', '_udp', 'tcp', '_', '_TCP']

/** Some hundred questions. */
export function randomQuestions(random: Seeded, cluster: RandomCluster, count: number): DnsCaseQuery[] {
  return Array.from({ length: count }, () => randomQuestion(random, cluster))
}

function randomQuestion(random: Seeded, cluster: RandomCluster): DnsCaseQuery {
  const isReverse = random.chance(0.2) && cluster.addresses.length > 0
  const name = isReverse ? reverseName(random, cluster) : forwardName(random, cluster)
  const type = isReverse && random.chance(0.7) ? 'PTR' : random.pick(types)
  const cased = random.chance(0.08) ? mixCase(random, name) : name
  const isChaos = random.chance(0.02)
  const q = isChaos
    ? `${random.pick(['version.bind.', 'authors.bind.', 'x.bind.', 'version.server.'])} TXT CH`
    : `${cased} ${type}`
  // AXFR without TCP is refused; both are asked.
  const transport = random.chance(type === 'AXFR' || type === 'IXFR' ? 0.5 : 0.15) ? 'tcp' : 'udp'
  const edns = random.chance(0.35)
    ? {
        edns: {
          udpSize: random.pick([0, 512, 600, 1232, 4096]),
          do: random.chance(0.35),
          ...(random.chance(0.05) ? { version: 1 } : {}),
          options: random.some(
            ['3:', '10:0102030405060708', '12:0000', '65001:6162', '11:0064', '8:00011800c00002'],
            0.15,
          ),
        },
      }
    : {}
  const pod = cluster.pods.length > 0 && random.chance(0.4) ? random.pick(cluster.pods) : undefined
  const client = pod === undefined ? {} : { client: pod.address }
  return { q, transport, ...edns, ...client, expect: {} }
}

function forwardName(random: Seeded, cluster: RandomCluster): string {
  const { namespace, name: service } = random.pick(cluster.services)
  const other = random.pick(cluster.namespaces)
  const zone = random.pick([
    'cluster.local.',
    'cluster.local.',
    'cluster.local.',
    'cluster.local.',
    'clusterset.local.',
    'sub.cluster.local.',
    'corp.test.',
  ])
  const base = `${service}.${random.chance(0.85) ? namespace : other}.svc`
  const endpoint = endpointLabel(random, cluster)
  const left = random.pick([
    base,
    base,
    base,
    `${random.pick(ports)}.${random.pick(protocols)}.${base}`,
    `${random.pick(ports)}.${random.pick(protocols)}.${base}`,
    `${endpoint}.${base}`,
    `${endpoint}.${base}`,
    `${endpoint}.${random.pick(['east', 'west'])}.${base}`,
    `a.b.c.${base}`,
    `${random.pick(['zone-a', 'zone-c', 'eu.west-1', 'nowhere'])}.${random.pick(['pin', 'prefer', 'only'])}._zone.${base}`,
    `pin._zone.${base}`,
    `${podLabel(random, cluster)}.${random.pick(cluster.namespaces)}.pod`,
    `x.${podLabel(random, cluster)}.${random.pick(cluster.namespaces)}.pod`,
    `${namespace}.svc`,
    `${other}.pod`,
    'svc',
    'pod',
    '',
    'dns-version',
    'ns.dns',
    'dns',
    `*.${namespace}.svc`,
    `nope.${namespace}.svc`,
    'printer',
    'alias',
    'loop',
    'chain',
    'away',
    'host.sub',
    'x.old',
    'a.wild',
    'mail',
    'gen2',
    'included',
    'web-svc',
    '_ipp._tcp',
    'ip-2-7.host',
    `${'w'.repeat(63)}.${'w'.repeat(63)}.${'v'.repeat(60)}.svc`,
  ])
  if (random.chance(0.12)) return random.pick(foreignNames(namespace, service))
  return left === '' ? zone : `${left}.${zone}`
}

function foreignNames(namespace: string, service: string): string[] {
  return [
    'www.partner.example.',
    'api.partner.example.',
    'mixed.partner.example.',
    'nope.partner.example.',
    'a.wild.partner.example.',
    'gone.dead.example.',
    'alias.corp.test.',
    'web.corp.test.',
    `${service}.${namespace}.svc.test.`,
    'short.corp.test.',
    'alias.example.',
    'txt.example.',
    'refused.example.',
    'x.first.example.',
    'x.second.example.',
    'a.signed.example.',
    'nope.signed.example.',
    'alias.signed.example.',
    'x.wild.signed.example.',
    'sub.signed.example.',
    'x.sub.signed.example.',
    'signed.example.',
    `${service}.${namespace}.ext.example.`,
    `${service}.${namespace}.ext.example.`,
    `_http._tcp.${service}.${namespace}.ext.example.`,
    `db-0.${service}.${namespace}.ext.example.`,
    'ext.example.',
    'ns1.dns.ext.example.',
    `${namespace}.ext.example.`,
    'gw.example.test.',
    'localhost.',
    'x.localhost.',
    'localhost.example.',
    '.',
    `${service}.${namespace}.svc.cluster.local.${namespace}.svc.cluster.local.`,
    `${service}.${namespace}.${namespace}.svc.cluster.local.`,
    `www.partner.example.${namespace}.svc.cluster.local.`,
    'in-addr.arpa.',
    '1.0.0.127.in-addr.arpa.',
    '255.in-addr.arpa.',
  ]
}

function endpointLabel(random: Seeded, cluster: RandomCluster): string {
  const hostnames = cluster.hostnames.length === 0 ? ['db-0'] : cluster.hostnames
  const address = cluster.addresses.length === 0 ? '10.244.1.5' : random.pick(cluster.addresses)
  const dashed = address.replaceAll(/[.:]/g, '-')
  return random.pick([
    random.pick(hostnames),
    dashed,
    dashed.endsWith('-') ? `${dashed}0` : dashed,
    'web-x7k',
    't'.repeat(63),
  ])
}

function podLabel(random: Seeded, cluster: RandomCluster): string {
  const addresses = [...cluster.pods.map((pod) => pod.address), '10.244.1.5', 'fd00::1', '010.1.1.1', '1.2.3', '::1']
  return random.pick(addresses).replaceAll(/[.:]/g, '-')
}

function reverseName(random: Seeded, cluster: RandomCluster): string {
  const address = random.pick([...cluster.addresses, ...cluster.pods.map((pod) => pod.address)])
  if (!address.includes(':')) {
    const octets = address.split('.').reverse()
    return `${(random.chance(0.1) ? octets.slice(1) : octets).join('.')}.in-addr.arpa.`
  }
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)]
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  const digits = [...groups.map((group) => group.padStart(4, '0')).join('')].reverse()
  return `${(random.chance(0.1) ? digits.slice(2) : digits).join('.')}.ip6.arpa.`
}

function mixCase(random: Seeded, name: string): string {
  return [...name].map((c) => (random.chance(0.4) ? c.toUpperCase() : c)).join('')
}
