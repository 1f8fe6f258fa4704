// Every parser of the libraries under hostile input: it answers, with problems, never with an exception or without end, and
// what it read without a problem, printed and read again is the same. Longer: KUBEWIRE_FUZZ_SECONDS=600 pnpm unit test/fuzz

import { decodeMessage, decodeQuery, encodeQuery, parseRecord, printRecord, queryOf } from '@kubewire/dns-core'
import { parseCorefile } from '@kubewire/dns-core/corefile'
import { parseSave, printSave } from '@kubewire/iptables-gen'
import { parseCidr, parseGoDuration, parseIp, parseQuantity, parseSelector } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { parseConfig, parseSettings, printConfig } from '@kubewire/nginx-gen'
import { describe, expect, it } from 'vitest'
import { parseConfiguration } from '../../apps/kube-proxy-ts/src/config/parse.ts'
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
