// Every command on one small cluster, through the command line: what it prints, what it notes, how it ends.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../output.ts'
import { runCli } from '../run-cli.ts'

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {clusterIP: 10.96.4.4, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: tea-a, namespace: shop, labels: {kubernetes.io/service-name: tea}}
addressType: IPv4
ports: [{name: http, port: 8080}]
endpoints: [{addresses: [10.244.1.11]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {name: http}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: other, namespace: shop}
spec: {ingressClassName: alb, defaultBackend: {service: {name: tea, port: {number: 80}}}}
`

let folder = ''
let file = ''
let changed = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
  file = join(folder, 'shop.yaml')
  changed = join(folder, 'changed.yaml')
  await writeFile(file, shop)
  await writeFile(changed, shop.replace('10.244.1.11', '10.244.1.12'))
  await writeFile(join(folder, 'bad.conf'), 'events {}\nhttp { server { listen 80 \n')
  await writeFile(join(folder, 'empty'), '')
  await writeFile(join(folder, 'nginx.conf'), 'events {}\nhttp { server { listen 80; return 404; } }\n')
})
afterAll(() => rm(folder, { recursive: true }))

async function run(line: string): Promise<{ readonly code: number; readonly data: string; readonly notes: string }> {
  let data = ''
  let notes = ''
  const output: Output = {
    data: (text) => {
      data += text
    },
    note: (text) => {
      notes += text
    },
    readStdin: async () => shop,
    hasColour: false,
  }
  const words = line
    .split(' ')
    .map((word) => word.replace('FILE', file).replace('CHANGED', changed).replace('DIR', folder))
  return { code: await runCli(words, output), data, notes }
}

describe('a command prints', () => {
  test.each([
    ['dns render -f FILE', 0, /^tea\.shop\.svc\.cluster\.local\.\t\d+\tIN\tA\t10\.96\.4\.4$/m],
    ['dns render -f - -o json', 0, /^\[\n {2}\{\n {4}"zone": "cluster\.local\."/],
    [
      'dns explain tea.shop.svc.cluster.local -f FILE',
      0,
      /NOERROR, tea\.shop\.svc\.cluster\.local\. \d+ IN A 10\.96\.4\.4/,
    ],
    [
      'dns explain nobody.shop.svc.cluster.local AAAA -f FILE',
      0,
      /AAAA nobody\.shop\.svc\.cluster\.local\. → NXDOMAIN/,
    ],
    ['proxy render -f FILE --family ipv4', 0, /^\*filter\n[\s\S]*-j DNAT --to-destination 10\.244\.1\.11:8080/],
    ['proxy render -f FILE -o save --family ipv4', 0, /^:PREROUTING ACCEPT \[0:0\]$/m],
    ['proxy render -f FILE -o nft --family ipv4', 0, /^add table ip kube-proxy\n[\s\S]*10\.96\.4\.4/],
    ['proxy explain --from 10.244.1.9 --to service/shop/tea -f FILE', 0, /reaches 10\.244\.1\.11:8080/],
    ['proxy explain --from 10.244.1.9 --to 10.96.4.4:81 -f FILE -o json', 0, /"what": "goes on untranslated/],
    [
      'ingress render -f FILE',
      0,
      /^shop\.example\.org\n {5}\/ {2}shop-tea-http {2}@class-[0-9a-f]+\n[\s\S]*location @class-[0-9a-f]+ \{/m,
    ],
    ['ingress render -f FILE --static', 0, /server_name shop\.example\.org;/],
    ['ingress render -f FILE --host shop.example.org', 0, /^shop\.example\.org\n/],
    ['ingress explain http://shop.example.org/cup -f FILE', 0, /goes to shop-tea-http as GET \/cup/],
    ['ingress explain http://shop.example.org/ --config DIR/nginx.conf', 0, /answers 404/],
    ['dns diff FILE CHANGED', 0, /^$/],
    ['proxy diff FILE CHANGED', 1, /- 10\.244\.1\.11:8080\n {2}\+ 10\.244\.1\.12:8080/],
    ['ingress diff FILE CHANGED -o markdown', 1, /^\| subject \| question \| before \| after \|/],
    ['ingress render -f FILE --static --host shop.example.org', 0, /^server \{\n {2}server_name shop\.example\.org;/],
    [
      'ingress list -f FILE',
      0,
      /^HOST .*\nshop\.example\.org {3}\/ {6}prefix {3}- {5}shop\/tea:http {3}1 {11}shop\/front\n$/,
    ],
    [
      'ingress backends shop-tea-http -f FILE',
      0,
      /^NAME .*\nshop-tea-http {3}shop\/tea:http {3}round-robin {3}- {8}10\.244\.1\.11:8080\n$/,
    ],
    ['ingress backends -f FILE -o json', 0, /"endpoints": \[/],
    ['ingress certs -f FILE', 0, /the default one/],
    ['lint -f FILE', 0, /^$/],
    ['lint -f CHANGED -o sarif', 0, /"version": "2\.1\.0"/],
    ['lint -f FILE -o junit --only shadowed-path', 0, /<testcase classname="kubewire\.lint" name="shadowed-path"\/>/],
    ['audit -f FILE', 0, /^# What is used of ingress-nginx\n/],
    ['audit -f FILE -o json', 0, /"name": "retries"/],
    ['lint --list', 0, /^annotation-refused /],
  ] as const)('%s', async (line, code, expected) => {
    const { code: found, data, notes } = await run(line)
    expect(data).toMatch(expected)
    expect([found, line, found === code ? '' : notes]).toEqual([code, line, ''])
  })
})

describe('a command line that makes no sense is said so', () => {
  test.each([
    ['dns explain -f FILE', /expected NAME \[TYPE\]/],
    ['dns explain tea NOTYPE -f FILE', /expected NAME \[TYPE\]/],
    ['proxy explain --to 10.96.4.4:80 -f FILE', /expected --from and --to/],
    [
      'proxy explain --from 10.0.0.1 --to service/shop/tae -f FILE',
      /expected Service shop\/tae among the objects, there is shop\/tea/,
    ],
    ['proxy explain --from 10.0.0.1 --to 2001:db8::1 -f FILE', /expected two addresses of one family/],
    ['proxy render -f FILE --family ipx', /expected --family ipv4, ipv6 or all/],
    ['ingress explain shop.example.org -f FILE', /expected \[METHOD\] URL/],
    ['ingress explain http://a.example.org/ -H nonsense -f FILE', /expected -H 'Name: value'/],
    ['audit -f FILE -o text', /expected -o markdown or json/],
    ['lint -f FILE -o xml', /expected -o text, json, sarif, github or junit/],
    ['dns diff FILE', /expected OLD and NEW/],
    [
      'ingress render -f FILE --host a.example.org',
      /expected --host with one of _, shop\.example\.org, found "a\.example\.org"/,
    ],
    ['ingress backends tea -f FILE', /expected one of shop-tea-http, upstream-default-backend, found "tea"/],
    ['ingress certs a.example.org -f FILE', /expected a host with TLS/],
    ['ingress list a.example.org -f FILE', /expected one of shop\.example\.org, found "a\.example\.org"/],
    ['ingress explain http://shop.example.org:0/ -f FILE', /expected a port from 1 to 65535 in the URL, found "0"/],
    ['ingress explain http://shop.example.org/ --from zzz -f FILE', /expected an address, .*found "zzz"/],
    ['lint -f FILE -n typo', /expected a Service or Ingress of namespace "typo", found none among 3 of namespace shop/],
    ['ingress list a b -f FILE', /expected one name, found a b/],
    ['dns render -f FILE -o yaml', /expected -o text or -o json/],
    ['lint -f FILE --skip nothing', /expected --skip with names of rules/],
    ['dns render -f FILE --context x', /expected files or a cluster, found both/],
  ] as const)('%s', async (line, message) => {
    const { code, data, notes } = await run(line)
    expect([code, data]).toEqual([2, ''])
    expect(notes).toMatch(message)
  })
})

test.each([
  ['ingress explain http://shop.example.org/ --config DIR/bad.conf', /bad\.conf:2:17: error: .*NGX_CONFIG_SYNTAX/],
  ['ingress explain http://shop.example.org/ --config DIR/empty', /empty: expected an nginx\.conf .* found nothing/],
  ['proxy explain --from 192.0.2.1 --to 10.96.4.4:80 --rules DIR/empty', /expected what iptables-save prints/],
])('%s cannot be read and answers nothing', async (line, message) => {
  const { code, data, notes } = await run(line)
  expect([code, data]).toEqual([3, ''])
  expect(notes).toMatch(message)
})

test('an Ingress of another class is named, and a Corefile that cannot be used ends the command', async () => {
  expect((await run('ingress render -f FILE')).notes).toMatch(/Ingress shop\/other .*found "alb".*CLI_NOT_OURS/)
  await writeFile(join(folder, 'Corefile'), '.:53 {\n  nonsense\n}\n')
  const { code, notes } = await run('dns render -f FILE --corefile DIR/Corefile')
  expect(code).toBe(3)
  expect(notes).toMatch(/nonsense/)
})

test('lines of a configuration that nginx does not know are named beside the answer', async () => {
  await writeFile(join(folder, 'odd.conf'), 'http { server { listen 80;\n  servername x; return 404; } }\n')
  const { code, notes } = await run('ingress explain http://x/ --config DIR/odd.conf')
  expect(code).toBe(0)
  expect(notes).toMatch(/odd\.conf:2:[0-9]+: warning: .*unknown directive "servername"/)
})

test('ingress list has what serves a host beside its paths: aliases, redirects, canaries, a default backend', async () => {
  const path = (name: string) =>
    `http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: ${name}, port: {number: 80}}}}]}`
  const ingress = (name: string, annotations: string, spec: string) =>
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}, namespace: shop, annotations: {${annotations}}}\nspec: {ingressClassName: nginx, ${spec}}\n---\n`
  const prefix = 'nginx.ingress.kubernetes.io'
  const text = [
    'apiVersion: v1\nkind: Service\nmetadata: {name: tea, namespace: shop}\nspec: {ports: [{port: 80}]}\n---\n',
    'apiVersion: v1\nkind: Service\nmetadata: {name: new, namespace: shop}\nspec: {ports: [{port: 80}]}\n---\n',
    ingress(
      'front',
      `${prefix}/server-alias: adm.example.org, ${prefix}/from-to-www-redirect: "true"`,
      `rules: [{host: shop.example.org, ${path('tea')}}]`,
    ),
    ingress(
      'next',
      `${prefix}/canary: "true", ${prefix}/canary-weight: "20", ${prefix}/canary-by-header: X-Canary`,
      `rules: [{host: shop.example.org, ${path('new')}}]`,
    ),
    ingress(
      'rest',
      '',
      'defaultBackend: {service: {name: tea, port: {number: 80}}}, rules: [{host: only.example.org}]',
    ),
  ]
  await writeFile(join(folder, 'list.yaml'), text.join(''))
  const { data } = await run('ingress list -f DIR/list.yaml')
  expect(
    data
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).slice(0, 5).join(' | ')),
  ).toEqual([
    'only.example.org | / | default | - | shop/tea:80',
    // A canary is an alternative of the backend, whichever host leads there.
    'only.example.org | / | canary 20% X-Canary | - | shop/new:80',
    'shop.example.org | / | prefix | - | shop/tea:80',
    'shop.example.org | / | canary 20% X-Canary | - | shop/new:80',
    'adm.example.org | - | as shop.example.org | - | -',
    'www.shop.example.org | - | redirects to shop.example.org | - | -',
  ])
})
