// Random Corefiles by family: the kubernetes block with random options, and the plugins that stand around it.

import {
  expressionTemplates,
  externalBlock,
  mixedFiles,
  optionPlugins,
  signedPlugins,
  signedZone,
  viewBlocks,
} from './dns-corefile-families.ts'
import type { Seeded } from './seeded.ts'

/** A Corefile with the files and addresses it needs. */
export interface RandomCorefile {
  readonly family: string
  readonly corefile: string
  readonly files: { readonly [name: string]: string }
  readonly serverAddresses: readonly string[]
  /** TTLs may differ by a second between two servers that count down. */
  readonly countsDown: boolean
}

// biome-ignore format: a list of words
const families = [
  'plain', 'zones', 'multicluster', 'blocks', 'hosts', 'cache', 'forward', 'file', 'rewrite', 'template', 'transfer',
  'autopath', 'small', 'mixed', 'mixed', 'external', 'signed', 'views', 'expressions', 'options',
] as const

/** Makes a Corefile of a random family. */
export function randomCorefile(random: Seeded, namespaces: readonly string[], wanted?: string): RandomCorefile {
  if (wanted === 'steps') return randomCorefile(random, namespaces, random.pick(['plain', 'multicluster']))
  const family = families.find((name) => name === wanted) ?? random.pick(families)
  const base = { family, files: {}, serverAddresses: [], countsDown: family === 'cache' }
  const kubernetes = kubernetesBlock(random, namespaces, family)
  const block = (lines: readonly string[], key = '.'): string =>
    `${key}:{{port}} {\n    errors\n${[...lines, kubernetes].map((line) => line.replace(/^/gm, '    ')).join('\n')}\n}\n`
  switch (family) {
    case 'plain':
    case 'zones':
    case 'multicluster':
      return { ...base, corefile: block(random.some(['any', 'bufsize 600', 'loadbalance', 'minimal'], 0.2)) }
    case 'blocks':
      return { ...base, corefile: separateBlocks(random, namespaces) }
    case 'hosts':
      return { ...base, corefile: block([hostsBlock(random), deadTemplate, 'loadbalance']) }
    case 'cache':
      return { ...base, corefile: block([cacheBlock(random), hostsBlock(random)]) }
    case 'forward':
      return { ...base, corefile: block([forwardBlock(random)]) + upstreamBlock }
    case 'file':
      return {
        ...base,
        corefile: block([fileBlock(random)]),
        files: { 'extra.zone': zoneFile(random), ...includedFile },
      }
    case 'rewrite':
      return { ...base, corefile: block(rewriteRules(random, namespaces)) }
    case 'template':
      return {
        ...base,
        corefile: block([...templates(random), ...random.some(['minimal', 'any', 'bufsize 512'], 0.2)]),
      }
    case 'transfer':
      return {
        ...base,
        corefile: block(['transfer {\n    to *\n}']),
        serverAddresses: [random.pick(['192.0.2.53', '10.244.1.7', '2001:db8::53'])],
      }
    case 'autopath':
      return { ...base, corefile: block(['autopath @kubernetes', hostsBlock(random), deadTemplate]) }
    case 'small':
      return { ...base, corefile: block([...smallPlugins(random), hostsBlock(random)]) }
    case 'mixed':
      return {
        ...base,
        ...mixedFiles(random),
        corefile: block(mixedPlugins(random, namespaces)) + upstreamBlock,
      }
    case 'external':
      return { ...base, corefile: block([externalBlock(random), hostsBlock(random), ...smallPlugins(random)]) }
    case 'signed':
      return { ...base, files: { 'signed.zone': signedZone }, corefile: block([...signedPlugins(random)]) }
    case 'views':
      return { ...base, corefile: viewBlocks(random) + block([hostsBlock(random)]) }
    case 'expressions':
      return { ...base, corefile: block(['metadata', ...expressionTemplates(random)]) }
    case 'options':
      return { ...base, corefile: block([...optionPlugins(random), hostsBlock(random)]) }
  }
}

function kubernetesBlock(random: Seeded, namespaces: readonly string[], family: string): string {
  const forward =
    family === 'multicluster'
      ? ['cluster.local', 'clusterset.local']
      : family === 'zones'
        ? ['cluster.local', random.pick(['sub.cluster.local', 'corp.test', 'svc.cluster.local'])]
        : ['cluster.local']
  const reverse = random.pick([
    ['in-addr.arpa', 'ip6.arpa'],
    ['in-addr.arpa'],
    [],
    ['10.0.0.0/8', 'fd00::/8'],
    ['10.96.0.0/12', '10.244.0.0/16', 'fd00:10:96::/112'],
  ])
  const zones = random.chance(0.15) ? [...reverse, ...forward] : [...forward, ...reverse]
  const pods = family === 'autopath' ? 'pods verified' : `pods ${random.pick(['disabled', 'insecure', 'verified'])}`
  const lines = [
    'kubeconfig {{kubeconfig}}',
    pods,
    `ttl ${random.pick([0, 1, 5, 30, 60, 300, 301, 3600])}`,
    ...random.some(['endpoint_pod_names', 'zonal', 'ignore empty_service'], 0.3),
    ...(random.chance(0.15)
      ? [`namespaces ${[...random.some(namespaces, 0.6), 'any'].join(' ')}`]
      : random.chance(0.2)
        ? [`namespace_labels ${random.pick(['!tier', 'expose=yes', 'app notin (x)', 'expose==yes,app in (web, db)'])}`]
        : []),
    ...(random.chance(0.15) ? [`labels ${random.pick(['expose=yes', 'app', '!tier', 'app in (web, x)'])}`] : []),
    ...(family === 'multicluster' ? ['multicluster clusterset.local'] : []),
    ...(['forward', 'file'].includes(family) || random.chance(0.1)
      ? [random.pick(['fallthrough', 'fallthrough in-addr.arpa ip6.arpa', 'fallthrough cluster.local'])]
      : []),
  ]
  const withoutEndpoints = random.chance(0.08) && !lines.includes('zonal') ? ['noendpoints'] : []
  return `kubernetes ${zones.join(' ')} {\n${[...lines, ...withoutEndpoints].map((line) => `    ${line}`).join('\n')}\n}`
}

function hostsBlock(random: Seeded): string {
  return `hosts /dev/null partner.example cluster.local {
    192.0.2.10 www.partner.example
    2001:db8::10 www.partner.example
    192.0.2.11 api.partner.example other.partner.example
    192.0.2.12 printer.cluster.local
    192.0.2.13 *.wild.partner.example
    ttl ${random.pick([60, 3600])}
    ${random.pick(['fallthrough', 'fallthrough', 'fallthrough cluster.local', 'no_reverse\n    fallthrough'])}
}`
}

const deadTemplate = 'template IN ANY dead.example {\n    rcode NXDOMAIN\n}'

function cacheBlock(random: Seeded): string {
  return random.pick([
    'cache 30',
    'cache {\n    success 2048 20 7\n    denial 1024 9\n}',
    'cache 60 {\n    disable denial cluster.local\n}',
    'cache 3600 cluster.local',
    'cache {\n    keepttl\n}',
    'cache {\n    servfail 0s\n    serve_stale\n}',
  ])
}

function forwardBlock(random: Seeded): string {
  const options = random.some(
    ['max_concurrent 1000', 'policy sequential', 'force_tcp', 'prefer_udp', 'except api.partner.example'],
    0.3,
  )
  return `forward ${random.pick(['.', '.', 'partner.example'])} 127.0.0.1:{{port2}} {\n${options.map((o) => `    ${o}\n`).join('')}}`
}

const upstreamBlock = `.:{{port2}} {
    template IN A {
        match "^(?P<x>www|api|cdn)[.]partner[.]example[.]$"
        answer "{{ .Name }} 77 IN A 198.51.100.5"
        fallthrough
    }
    template IN AAAA {
        match "^www[.]partner[.]example[.]$"
        answer "{{ .Name }} 78 IN AAAA 2001:db8::5"
        fallthrough
    }
    template IN CNAME {
        match "^mixed[.]partner[.]example[.]$"
        answer "{{ .Name }} 79 IN CNAME www.partner.example."
        fallthrough
    }
    template IN ANY partner.example {
        rcode NOERROR
        authority "partner.example. 55 IN SOA ns.partner.example. admin.partner.example. 1 2 3 4 5"
    }
    template ANY ANY {
        rcode NXDOMAIN
        authority "up.example. 66 IN SOA ns.up.example. admin.up.example. 1 2 3 4 5"
    }
}
`

function fileBlock(random: Seeded): string {
  return `file {{dir}}/extra.zone cluster.local${random.chance(0.3) ? ' {\n    fallthrough\n}' : ''}`
}

const includedFile = { 'more.zone': 'included 70 IN A 192.0.2.71\n' }

function zoneFile(random: Seeded): string {
  const extra = random.some(
    [
      'alias 60 IN CNAME printer\n',
      'loop 60 IN CNAME loop\n',
      'chain 60 IN CNAME alias\n',
      'away 60 IN CNAME www.partner.example.\n',
      'sub 60 IN NS ns.sub\nns.sub 60 IN A 192.0.2.9\n',
      'old 60 IN DNAME wild\n',
      'mail 60 IN MX 10 printer\n',
      '_ipp._tcp 60 IN SRV 1 2 631 printer\n',
      '*.svc 60 IN A 192.0.2.99\n',
    ],
    0.5,
  )
  const generated = random.chance(0.5) ? '$GENERATE 1-3 gen$ 60 IN A 192.0.2.$\n$INCLUDE more.zone\n' : ''
  return `$ORIGIN cluster.local.\n@ 3600 IN SOA ns.files.test. admin.files.test. 42 1 2 3 4\n@ 3600 IN NS ns.files.test.\nprinter 100 IN A 192.0.2.2\nprinter 100 IN AAAA 2001:db8::2\nnope.in-addr.svc 100 IN A 192.0.2.3\n*.wild 50 IN TXT "w"\n${generated}${extra.join('')}`
}

function rewriteRules(random: Seeded, namespaces: readonly string[]): string[] {
  const namespace = random.pick(namespaces)
  return random.some(
    [
      `rewrite name exact alias.corp.test web.${namespace}.svc.cluster.local`,
      `rewrite stop {\n    name regex (.*)[.]corp[.]test {1}.${namespace}.svc.cluster.local\n    answer name (.*)[.]${namespace}[.]svc[.]cluster[.]local {1}.corp.test\n    answer value (.*)[.]${namespace}[.]svc[.]cluster[.]local {1}.corp.test\n}`,
      `rewrite name suffix .corp.test .${namespace}.svc.cluster.local answer auto`,
      `rewrite name suffix .corp.test. .${namespace}.svc.cluster.local.`,
      `rewrite name substring corp svc`,
      `rewrite name prefix short web`,
      'rewrite continue ttl regex (.*) 7-40',
      `rewrite continue name regex ^(.*)[.]svc[.]test[.]$ {1}.svc.cluster.local answer auto`,
      'rewrite type MX A',
      'rewrite continue ttl suffix .cluster.local -60',
      'rewrite continue rcode regex (.*) NXDOMAIN NOERROR',
    ],
    0.4,
  )
}

function templates(random: Seeded): string[] {
  return [
    'template IN A cluster.local {\n    match "^ip-(?P<a>[0-9]+)-(?P<b>[0-9]+)[.]host[.]cluster[.]local[.]$"\n    answer "{{ .Name }} 33 IN A 192.0.{{ .Group.a }}.{{ .Group.b }}"\n    fallthrough\n}',
    deadTemplate,
    ...random.some(
      [
        'template IN ANY refused.example {\n    rcode REFUSED\n}',
        'template IN A alias.example {\n    answer "{{ .Name }} 12 IN CNAME web.shop.svc.cluster.local."\n}',
        'template IN AAAA cluster.local {\n    match "^v6"\n    rcode NOERROR\n    authority "{{ .Zone }} 9 IN SOA a.{{ .Zone }} b.{{ .Zone }} 1 2 3 4 5"\n    fallthrough\n}',
        'template ANY TXT txt.example {\n    answer "{{ .Name }} 5 {{ .Class }} TXT \\"{{ .Type }} {{ index .Match 0 }}\\""\n}',
        'template IN SRV cluster.local {\n    match "^_x"\n    additional "x.cluster.local. 3 IN A 192.0.2.1"\n    answer "{{ .Name }} 3 IN SRV 1 2 3 x.cluster.local."\n    fallthrough svc.cluster.local\n}',
      ],
      0.4,
    ),
  ]
}

function smallPlugins(random: Seeded): string[] {
  return random.some(
    [
      random.pick([
        'dns64 {\n    allow_ipv4\n}',
        'dns64 {\n    allow_ipv4\n    translate_all\n}',
        'dns64 {\n    allow_ipv4\n    prefix 2001:db8:64::/64\n}',
        'dns64',
      ]),
      'any',
      random.pick([
        'acl {\n    block type MX\n    filter type CNAME net 127.0.0.0/8\n}',
        'acl shop.svc.cluster.local {\n    allow type A net *\n    block\n}',
        'acl data.svc.cluster.local {\n    filter type AAAA\n    drop type ANY\n    allow\n}',
      ]),
      'bufsize 512',
      'chaos Example-1.0 "First Author" Second',
      random.pick([
        'header {\n    response clear aa\n}',
        'header {\n    response set ra\n}',
        'header {\n    query clear rd\n    response set aa\n}',
      ]),
      'local',
      'minimal',
    ],
    0.45,
  )
}

/** A bit of everything in one block. */
function mixedPlugins(random: Seeded, namespaces: readonly string[]): string[] {
  // Never both: where dns64 asks again, the original asks for the name that a rewrite rule left in the question.
  const rewrites = random.chance(0.5) ? random.some(rewriteRules(random, namespaces), 0.4) : []
  const small = random.some(smallPlugins(random), 0.6)
  return [
    ...small.filter((text) => rewrites.length === 0 || !text.startsWith('dns64')),
    ...rewrites,
    ...random.some(templates(random), 0.5),
    ...random.some(['metadata', 'cancel 4s', 'nsid mixed', 'bufsize 1232', 'loadbalance', 'log', 'debug'], 0.3),
    ...random.some([externalBlock(random)], 0.3),
    ...random.some([hostsBlock(random)], 0.7),
    ...random.some([fileBlock(random), ...signedPlugins(random)], 0.5),
    ...random.some([forwardBlock(random)], 0.6),
  ]
}

function separateBlocks(random: Seeded, namespaces: readonly string[]): string {
  const ttl = random.pick([1, 44, 301])
  const options = (extra: readonly string[]): string =>
    ['kubeconfig {{kubeconfig}}', `ttl ${ttl}`, ...extra].map((line) => `        ${line}`).join('\n')
  const pods = random.pick(['pods insecure', 'pods verified', 'pods disabled'])
  return `example.test:{{port}} {
    hosts /dev/null {
        192.0.2.44 gw.example.test
        ttl ${ttl}
    }
}
10.0.0.0/8:{{port}} {
    errors
    kubernetes cluster.local 10.0.0.0/8 {
${options([`namespaces ${namespaces.slice(0, 2).join(' ')}`])}
    }
}
cluster.local:{{port}}  ip6.arpa:{{port}} {
    errors
    kubernetes cluster.local ip6.arpa {
${options([pods, ...random.some(['zonal', 'endpoint_pod_names', 'ignore empty_service'], 0.4)])}
    }
}
`
}
