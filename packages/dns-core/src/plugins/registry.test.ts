// One or more rows for each plugin: what a user of its directive sees.

import { endpointSlice, namespace, pod, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { emptyReply } from '../reply.ts'
import { askServer, type TestWorld, testServer } from '../testing/ask-corefile.ts'
import { pluginRegistry, unsupportedPlugins } from './registry.ts'

const objects = [
  namespace('shop'),
  service('shop/tea', { clusterIPs: ['10.96.4.4'] }),
  service('shop/db', { clusterIPs: ['None'] }),
  endpointSlice('shop/db', [{ addresses: ['10.20.3.4'], hostname: 'db-0' }, '10.20.3.5']),
  pod('shop/client', ['10.20.9.9']),
  service('shop/lb', { clusterIPs: ['10.96.4.9'], externalIPs: ['203.0.113.7'] }),
]
const kubernetes = 'kubernetes cluster.local'
const tea = 'tea.shop.svc.cluster.local.'
const zoneText = '@ 60 IN SOA ns admin 1 2 3 4 5\n@ 60 IN NS ns\nwww 60 IN A 192.0.2.1\nalias 60 IN CNAME www\n'

interface Row {
  readonly plugin: string
  readonly says: string
  readonly lines: string
  readonly question: string
  readonly expected: string
  readonly world?: TestWorld
  readonly client?: string
}

// biome-ignore format: a table
const rows: readonly Row[] = [
  { plugin: 'acl', says: 'blocks a type with REFUSED', lines: `acl {\nblock type A\n}\n${kubernetes}`, question: `${tea} A`, expected: 'REFUSED' },
  { plugin: 'acl', says: 'drops without a reply', lines: `acl {\ndrop net 192.0.2.0/24\n}\n${kubernetes}`, question: `${tea} A`, expected: 'no reply' },
  { plugin: 'any', says: 'answers ANY with HINFO', lines: `any\n${kubernetes}`, question: `${tea} ANY`, expected: `NOERROR | ${tea} 8482 HINFO "ANY obsoleted" "See RFC 8482"` },
  { plugin: 'autopath', says: 'walks the search path of a pod and says so with a CNAME', lines: `autopath @kubernetes\nkubernetes cluster.local {\npods verified\n}`, question: `${tea}shop.svc.cluster.local. A`, client: '10.20.9.9', expected: `NOERROR aa | ${tea}shop.svc.cluster.local. 5 CNAME ${tea} | ${tea} 5 A 10.96.4.4` },
  { plugin: 'bufsize', says: 'leaves answers of clients without EDNS alone', lines: `bufsize 512\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'cache', says: 'gives every record the TTL it is stored with', lines: `cache 30\nkubernetes cluster.local {\nttl 60\n}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 30 A 10.96.4.4` },
  { plugin: 'cancel', says: 'lets quick answers through', lines: `cancel 1s\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'chaos', says: 'tells its version in class CH', lines: 'chaos Example-1', question: 'version.bind. TXT CH', expected: 'NOERROR | version.bind. 0 TXT "Example-1"' },
  { plugin: 'dns64', says: 'makes AAAA from A for clients over IPv6', lines: `dns64\n${kubernetes}`, question: `${tea} AAAA`, client: '2001:db8::9', expected: `NOERROR | ${tea} 5 AAAA 64:ff9b::a60:404` },
  { plugin: 'dns64', says: 'leaves clients over IPv4 alone', lines: `dns64\nhosts {\n192.0.2.1 a.example.org\n}`, question: 'a.example.org. AAAA', expected: 'NOERROR aa' },
  { plugin: 'endpoints', says: 'health, ready, prometheus and reload do not touch answers', lines: `health\nready\nprometheus\nreload\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'erratic', says: 'drops every second question', lines: 'erratic {\ndrop 1\n}', question: `${tea} A`, expected: 'no reply' },
  { plugin: 'errors', says: 'passes failures on', lines: `errors\nhosts {\n192.0.2.1 a.example.org\n}`, question: 'b.example.org. A', expected: 'SERVFAIL' },
  { plugin: 'file', says: 'follows an alias inside its zone', lines: 'file db.example example.org', question: 'alias.example.org. A', world: { files: { '/etc/db.example': zoneText } }, expected: 'NOERROR aa | alias.example.org. 60 CNAME www.example.org. | www.example.org. 60 A 192.0.2.1 | authority: example.org. 60 NS ns.example.org.' },
  { plugin: 'file', says: 'refuses foreign names with nobody behind it', lines: 'file db.example example.org', question: 'a.example.net. A', world: { files: { '/etc/db.example': zoneText } }, expected: 'REFUSED' },
  { plugin: 'forward', says: 'passes the reply of an upstream on', lines: 'forward . 192.0.2.53', question: 'a.example.org. A', world: { ports: { exchange: (_u, query) => Promise.resolve({ kind: 'reply', reply: { ...emptyReply, rcode: 3, recursionAvailable: true }, question: query }) } }, expected: 'NXDOMAIN ra' },
  { plugin: 'forward', says: 'fails when no upstream answers', lines: 'forward . 192.0.2.53', question: 'a.example.org. A', expected: 'SERVFAIL' },
  { plugin: 'header', says: 'clears flags of replies', lines: `header {\nresponse clear aa\n}\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR | ${tea} 5 A 10.96.4.4` },
  { plugin: 'hosts', says: 'answers a known name of another type with an empty reply', lines: 'hosts {\n192.0.2.1 a.example.org\n}', question: 'a.example.org. MX', expected: 'NOERROR aa' },
  { plugin: 'hosts', says: 'answers reverse names in every zone', lines: 'hosts {\n192.0.2.1 a.example.org\n}', question: '1.2.0.192.in-addr.arpa. PTR', expected: 'NOERROR aa | 1.2.0.192.in-addr.arpa. 3600 PTR a.example.org.' },
  { plugin: 'k8s-external', says: 'answers with external addresses', lines: `k8s_external ext.example\n${kubernetes}`, question: 'lb.shop.ext.example. A', expected: 'NOERROR aa | lb.shop.ext.example. 5 A 203.0.113.7' },
  { plugin: 'k8s-external', says: 'has no names for services without external addresses', lines: `k8s_external ext.example\n${kubernetes}`, question: 'tea.shop.ext.example. A', expected: 'NXDOMAIN aa | authority: ext.example. 5 SOA ns1.dns.ext.example. hostmaster.dns.ext.example. 0 7200 1800 86400 5' },
  { plugin: 'k8s-external', says: 'has no names for headless services unless told so', lines: `k8s_external ext.example {\nheadless\n}\n${kubernetes}`, question: 'db-0.db.shop.ext.example. A', expected: 'NOERROR aa | db-0.db.shop.ext.example. 5 A 10.20.3.4' },
  { plugin: 'kubernetes', says: 'names endpoints by their hostname in SRV answers', lines: kubernetes, question: '_http._tcp.db.shop.svc.cluster.local. SRV', expected: 'NOERROR aa | _http._tcp.db.shop.svc.cluster.local. 5 SRV 0 50 8080 db-0.db.shop.svc.cluster.local. | _http._tcp.db.shop.svc.cluster.local. 5 SRV 0 50 8080 10-20-3-5.db.shop.svc.cluster.local. | additional: db-0.db.shop.svc.cluster.local. 5 A 10.20.3.4 | additional: 10-20-3-5.db.shop.svc.cluster.local. 5 A 10.20.3.5' },
  { plugin: 'loadbalance', says: 'keeps every record', lines: `loadbalance\n${kubernetes}`, question: 'db.shop.svc.cluster.local. A', expected: 'NOERROR aa | db.shop.svc.cluster.local. 5 A 10.20.3.5 | db.shop.svc.cluster.local. 5 A 10.20.3.4' },
  { plugin: 'local', says: 'knows localhost below any name', lines: `local\n${kubernetes}`, question: 'a.localhost. A', expected: 'NOERROR | a.localhost. 604800 A 127.0.0.1' },
  { plugin: 'log', says: 'writes its line and passes the answer on', lines: `log\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'loop', says: 'passes everything but its own probe on', lines: `loop\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'metadata', says: 'offers labels to templates', lines: `metadata\ntemplate IN TXT example.org {\nanswer "{{ .Name }} 5 IN TXT {{ .Meta \\"kubernetes/client-pod-name\\" }}"\n}\nkubernetes cluster.local {\npods verified\n}`, question: 'a.example.org. TXT', client: '10.20.9.9', expected: 'NOERROR aa | a.example.org. 5 TXT "client"' },
  { plugin: 'minimal', says: 'drops glue of positive answers', lines: `minimal\n${kubernetes}`, question: '_http._tcp.tea.shop.svc.cluster.local. SRV', expected: `NOERROR aa | _http._tcp.${tea} 5 SRV 0 100 80 ${tea}` },
  { plugin: 'nsid', says: 'says nothing to clients that do not ask', lines: `nsid one\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'rewrite', says: 'brings the asked name back', lines: `rewrite name shop.example ${tea}\n${kubernetes}`, question: 'shop.example. A', expected: 'NOERROR aa | shop.example. 5 A 10.96.4.4' },
  { plugin: 'settings', says: 'bind, debug, root, tls and timeouts do not touch answers', lines: `root /srv\nbind 192.0.2.53\ndebug\ntimeouts {\nread 1s\n}\ntls cert.pem key.pem\n${kubernetes}`, question: `${tea} A`, expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'template', says: 'shows its pattern as it stands there', lines: 'template ANY TXT {\nmatch "^(?P<n>a)/|b"\nanswer "{{ .Name }} 9 IN TXT \\"{{ .Regex }} {{ .Type }}\\""\n}', question: 'b.example.org. TXT', expected: 'NOERROR aa | b.example.org. 9 TXT "^(?P<n>a)/|b TXT"' },
  { plugin: 'template', says: 'has no name for a type without one', lines: 'template IN ANY {\nanswer "{{ .Name }} 9 IN TXT \\"[{{ .Type }}]\\""\n}', question: 'b.example.org. TYPE65280', expected: 'NOERROR aa | b.example.org. 9 TXT "[]"' },
  { plugin: 'template', says: 'fills groups of its pattern into records', lines: 'template IN A {\nmatch "^ip-(?P<n>[0-9]+)[.]"\nanswer "{{ .Name }} 9 IN A 192.0.2.{{ .Group.n }}"\n}', question: 'ip-7.example.org. A', expected: 'NOERROR aa | ip-7.example.org. 9 A 192.0.2.7' },
  { plugin: 'transfer', says: 'refuses over UDP', lines: `transfer {\nto *\n}\n${kubernetes}`, question: 'cluster.local. AXFR', expected: 'REFUSED' },
  { plugin: 'view', says: 'refuses questions that its block is not for', lines: `view inside {\nexpr incidr(client_ip(), '10.0.0.0/8') && type() in ['A', 'AAAA']\n}\n${kubernetes}`, question: `${tea} A`, expected: 'REFUSED' },
  { plugin: 'view', says: 'lets questions in that fit', lines: `view inside {\nexpr incidr(client_ip(), '10.0.0.0/8') && type() in ['A', 'AAAA']\n}\n${kubernetes}`, question: `${tea} A`, client: '10.1.1.1', expected: `NOERROR aa | ${tea} 5 A 10.96.4.4` },
  { plugin: 'whoami', says: 'tells the client its address and port', lines: 'whoami', question: 'a.example.org. A', expected: 'NOERROR aa | additional: a.example.org. 0 A 192.0.2.1 | additional: _udp.a.example.org. 0 SRV 0 0 53000 .' },
]

describe('plugins, each with what a user sees', () => {
  it.each(rows)('$plugin $says', async ({ lines, question, expected, world, client }) => {
    const server = testServer(`.:53 {\n${lines}\n}`, { objects, ...world })
    const extra = client === undefined ? {} : { client: { address: client, port: 5353 } }
    expect(await askServer(server, question, extra)).toBe(expected)
  })
})

describe('the list of plugins', () => {
  it('names nothing twice and supports nothing that it calls unsupported', () => {
    const names = pluginRegistry.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(unsupportedPlugins.filter((name) => names.includes(name))).toEqual([])
  })

  it('documents every plugin and property', () => {
    const bare = pluginRegistry.filter(({ summary, properties }) => {
      return summary === '' || Object.values(properties ?? {}).some((property) => property.summary === '')
    })
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})
