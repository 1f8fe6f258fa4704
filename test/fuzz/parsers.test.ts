// Every parser of the libraries under hostile input: it answers, with problems, never with an exception or without end, and
// what it read without a problem, printed and read again is the same. Longer: KUBEWIRE_FUZZ_SECONDS=600 pnpm unit fuzz

import {
  createDnsServer,
  decodeMessage,
  decodeQuery,
  encodeQuery,
  parseRecord,
  plainPorts,
  printRecord,
  queryOf,
} from '@kubewire/dns-core'
import { noSurroundings, parseCorefile, serverPlans } from '@kubewire/dns-core/corefile'
import { parseNftListing, parseSave, printSave } from '@kubewire/iptables-gen'
import { parseCidr, parseGoDuration, parseIp, parseQuantity, parseSelector, snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { ingress, service } from '@kubewire/kube-model/testing'
import { parseConfig, parseSettings, printConfig, translateIngresses } from '@kubewire/nginx-gen'
import { describe, expect, it } from 'vitest'
import { parseConfiguration } from '../../apps/kube-proxy-ts/src/config/parse.ts'
import { parseConntrack } from '../../apps/kube-proxy-ts/src/kernel/conntrack.ts'
import { feed, fuzzMs, hostileBytes, hostileText } from './hostile-text.ts'

const corefile = `(snip) {
  errors
}
tls://example.org:853 .:53 {
  import snip
  kubernetes cluster.local in-addr.arpa { pods insecure
    ttl 30 }
  forward . "192.0.2.53" {$UPSTREAM}
}
`
/** Blocks whose plugins have a language of their own. */
const plugins = `.:53 {
  view v { expr type() == 'A' && (name() matches '^a[0-9]+\\.' || metadata('x/y') in ['a', 'b']) }
  template IN A example.org {
    match "^(?P<n>[a-z]+)[.]example[.]org[.]$"
    answer "{{ .Name }} 60 IN A 192.0.2.{{ if eq .Group.n \\"a\\" }}1{{ else }}2{{ end }}"
  }
  rewrite name regex (.*)\\.old\\.org {1}.new.org answer auto
  acl { allow type A net 192.0.2.0/24
    block }
  cache { success 100 60 10
    prefetch 1 1m 10% }
  log . "{remote} {name}" { class denial error }
}
`
const zone = `$ORIGIN example.org.
$TTL 1h
@ IN SOA ns mail ( 1 2h 3w 4 5 ) ; end
$GENERATE 1-3 host\${0,3,d} A 192.0.2.$
$INCLUDE other.db
  TXT "a" b
* CNAME @
`
const hosts = '192.0.2.1 www.example.org www # a\n2001:db8::1%eth0 six.example.org\n'
const listing = `table ip kube-proxy {
\tcomment "rules"
\tset cluster-ips { type ipv4_addr
\t\telements = { 10.96.0.1, 10.96.0.10 comment "a } b" } }
\tmap service-ips { type ipv4_addr . inet_proto . inet_service : verdict
\t\telements = { 10.96.0.1 . tcp . 443 comment "x" : goto service-A } }
\tchain service-A { ip saddr != 10.0.0.0/8 numgen random mod 2 vmap { 0 : goto e1, 1 : goto e2 } }
}
`
const flows =
  'ipv4     2 udp      17 25 src=203.0.113.9 dst=10.96.0.10 sport=4000 dport=53 src=10.244.1.5 dst=203.0.113.9 sport=5353 dport=4000 mark=0 use=1\n'
const certificate = `-----BEGIN CERTIFICATE-----\nMIIBwTCCAWegAwIBAgIUWKm5hHS9xk/PkzrKfFCGWE+ShqIwCgYIKoZIzj0EAwIw\nGzEZMBcGA1UEAwwQc2hvcC5leGFtcGxlLm9yZzAgFw0yNjExMzAxMDA2NThaGA8y\nMTI2MTEwNjEwMDY1OFowGzEZMBcGA1UEAwwQc2hvcC5leGFtcGxlLm9yZzBZMBMG\nByqGSM49AgEGCCqGSM49AwEHA0IABK8M55ZY3S1j+tX6IxbqTktjFRgFs5ChUCAh\nrhkXiR1Lz7UnLqMRnPapFB9wSOMhXS0BelWiLdbaG0SeS/RJxUyjgYYwgYMwHQYD\nVR0OBBYEFO0ytlLSYx/qJ1+jdUJq1WNSHZzpMB8GA1UdIwQYMBaAFO0ytlLSYx/q\nJ1+jdUJq1WNSHZzpMA8GA1UdEwEB/wQFMAMBAf8wMAYDVR0RBCkwJ4IQc2hvcC5l\neGFtcGxlLm9yZ4INKi5leGFtcGxlLm9yZ4cEwAACATAKBggqhkjOPQQDAgNIADBF\nAiALanxTk/3P8irrleMhdJ4x1oDwp7MToGWUc+22Gknn3AIhAOrfG+zTSyfu2DYl\n0w1NTTR/zl8j4S8xndYFtoaIMYZg\n-----END CERTIFICATE-----`
const save = `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SVC-X - [0:0]
-A PREROUTING -m comment --comment "shop/tea \\"a\\"" -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-X
-A KUBE-SVC-X -m statistic --mode random --probability 0.50000000000 -j DNAT --to-destination [2001:db8::1]:80
COMMIT
`
const nginx = `events {} http { map $host $x { default 0; ~*^a{2}$ "1;"; }
server { listen 80; if ($http_x ~ "\\}") { return 403 'no'; } return 403 'no "way\\}"'; location ~ ^/a(/|$) { content_by_lua_block { ngx.say("}") } } } }
`
const manifest = `apiVersion: v1
kind: List
items:
- &a {apiVersion: v1, kind: Service, metadata: {name: tea, namespace: shop}, spec: {ports: [{port: 80}]}}
- <<: *a
---
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
`
const proxyConfiguration = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: "iptables"
nodePortAddresses: [192.0.2.0/24, *a]
conntrack: &a {maxPerCore: 0, tcpEstablishedTimeout: 1h0m0s}
featureGates: {A: yes}
`
const records = [
  'tea.example.org. 300 IN A 192.0.2.1',
  '@ IN SOA ns mail ( 1 2h 3w\n 4 5 ) ; end',
  'a TXT "x\\"y" \\097 "\\200"',
  'b SRV 0 5 53 c.example.org.',
  'c LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m',
  'd SVCB 1 . alpn=h2,h3 port=53 key65000="\\001"',
]
const local = { address: '192.0.2.1', port: 53 }
const arrival = { transport: 'udp', client: local, local } as const

describe('hostile input harms no parser', () => {
  const timeout = { timeout: fuzzMs * 4 + 20_000 }

  it('Corefile', timeout, () => {
    feed(hostileText([corefile]), (text) => void parseCorefile(text, 'Corefile'))
  })

  it('Corefile with the languages of its plugins, and what they do with a question', timeout, () => {
    const options = { fileName: 'Corefile', root: '.', defaultPort: 53, surroundings: noSurroundings }
    feed(hostileText([plugins]), (text) => {
      const { value: plans, problems } = serverPlans(text, options)
      // A server that cannot be configured is never started.
      if (problems.some(({ severity }) => severity === 'error')) return
      const server = createDnsServer(plans, plainPorts())
      for (const listener of server.listeners) void listener.answer(queryOf('a.example.org.', 1))
      server.close()
    })
  })

  it('zone files and host files, and questions for what they hold', timeout, () => {
    const text = '.:53 {\n file /zone example.org\n hosts /hosts {\n  fallthrough\n }\n}\n'
    const options = { fileName: 'Corefile', root: '.', defaultPort: 53, surroundings: noSurroundings }
    feed(hostileText([zone, hosts]), (file) => {
      const files = { '/zone': file, '/hosts': file, 'other.db': file }
      const server = createDnsServer(serverPlans(text, options).value, plainPorts({ files }))
      for (const name of ['host001.example.org.', 'www.example.org.'])
        for (const listener of server.listeners) void listener.answer(queryOf(name, 1))
      server.close()
    })
  })

  it('DNS questions and answers', timeout, () => {
    const question = encodeQuery(queryOf('tea.shop.svc.cluster.local.', 1))
    const rest = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 1, 0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]
    const answer = Uint8Array.from([...question.subarray(0, 28 + 17), ...rest])
    answer.set([0x80, 0, 0, 1, 0, 1, 0, 0, 0, 1], 2)
    feed(hostileBytes([question, answer]), (bytes) => {
      decodeQuery(bytes, arrival)
      decodeMessage(bytes)
    })
  })

  it('records of a zone file, and they print as what is read back', timeout, () => {
    feed(hostileText(records), (text) => {
      const parsed = parseRecord(text)
      if (!('record' in parsed)) return
      const printed = printRecord(parsed.record)
      const again = parseRecord(printed)
      expect('record' in again ? printRecord(again.record) : again, text).toBe(printed)
    })
  })

  it('iptables-save, and what is printed reads back the same', timeout, () => {
    feed(hostileText([save]), (text) => {
      const { value, problems } = parseSave(text)
      if (problems.length > 0) return
      const printed = printSave(value)
      expect(printSave(parseSave(printed).value), text).toBe(printed)
    })
  })

  it('listings of nft and of conntrack', timeout, () => {
    feed(hostileText([listing, flows]), (text) => {
      parseNftListing(text)
      parseConntrack(text)
    })
  })

  it('certificates and passwords in Secrets', timeout, () => {
    const annotations = {
      'nginx.ingress.kubernetes.io/auth-type': 'basic',
      'nginx.ingress.kubernetes.io/auth-secret': 'a',
    }
    const rules = [{ host: 'shop.example.org' }]
    const front = ingress('shop/front', { rules, tls: [{ hosts: ['shop.example.org'], secretName: 'a' }] }, annotations)
    feed(hostileText([certificate]), (text) => {
      const content = Buffer.from(text).toString('base64')
      const data = { 'tls.crt': content, 'tls.key': content, 'ca.crt': content, auth: content }
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'shop' }, data }
      translateIngresses(snapshotOf([service('shop/tea'), front, secret]), { watchWithoutClass: true })
    })
  })

  it('nginx.conf, and what is printed reads back the same', timeout, () => {
    feed(hostileText([nginx]), (text) => {
      const { value, problems } = parseConfig(text)
      // A NUL cannot be written into a configuration; the printer leaves it out.
      if (problems.length > 0 || text.includes('\0')) return
      const printed = printConfig(value)
      expect(printConfig(parseConfig(printed).value), text).toBe(printed)
    })
  })

  it('manifests', timeout, () => {
    feed(hostileText([manifest]), (text) => void parseManifests(text, 'file.yaml'))
  })

  it('KubeProxyConfiguration', timeout, () => {
    feed(hostileText([proxyConfiguration]), (text) => void parseConfiguration(text, 'config.yaml'))
  })

  it('settings of a ConfigMap', timeout, () => {
    const seeds = ['error-log-level: debug', 'proxy-body-size: 8m', 'log-format-upstream: $remote_addr "$request"']
    feed(hostileText(seeds), (text) => {
      const colon = text.indexOf(':')
      parseSettings({ [text.slice(0, colon)]: text.slice(colon + 1).trim(), 'proxy-body-size': text })
    })
  })

  it('addresses, durations, quantities, selectors', timeout, () => {
    feed(hostileText(['2001:db8::1', '192.0.2.0/24', '1h2m3.5s', '12e3Mi', 'a in (b,c),!d,e!=f']), (text) => {
      for (const parse of [parseIp, parseCidr, parseGoDuration, parseQuantity, parseSelector]) parse(text)
    })
  })
})
