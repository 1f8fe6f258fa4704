// Every rule on its own example: what it finds there, and that a small change of the example cures it.

import { printRef } from '@kubewire/kube-model'
import { expect, test } from 'vitest'
import type { Output } from '../output.ts'
import { readFiles } from '../read-input.ts'
import { lintRules } from './registry.ts'

test.each([
  ['rules/annotation-refused', 'Ingress shop/front', /expected .*"fast"/, ['fast', '"30"']],
  [
    'rules/annotation-unknown',
    'Ingress shop/front',
    /nothing reads "whitelist-source-ranges": "whitelist-source-range" is meant\?/,
    ['ranges:', 'range:'],
  ],
  [
    'rules/canary-reaches-elsewhere',
    'Ingress shop/front-canary',
    /requests for partner\.example\.org\/ go to it too/,
    [
      'host: partner.example.org\n      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea,',
      'host: partner.example.org\n      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: cup,',
    ],
  ],
  [
    'rules/canary-without-main',
    'Ingress shop/front-canary',
    /expected an ordinary Ingress with the same host/,
    ['"true"', '"false"'],
  ],
  [
    'rules/default-backend-of-hosts',
    'Ingress shop/front',
    /serves what is left of shop\.example\.org, and no other host/,
    ['host: shop.example.org\n      http', 'http'],
  ],
  [
    'rules/duplicate-cluster-ip',
    'Service shop/tea-copy',
    /10\.96\.4\.4 is also that of Service shop\/tea:/,
    ['10.96.4.4', '10.96.4.5'],
  ],
  ['rules/duplicate-node-port', 'Service shop/tea', /node port 30080/, ['30080', '30081']],
  ['rules/external-ips-taken', 'Service shop/tea', /198\.51\.100\.7/, ['[198.51.100.7]', '[]']],
  [
    'rules/external-name-loop',
    'Service shop/a',
    /shop\/a → shop\/b → shop\/a/,
    ['b.shop.svc.cluster.local', 'tea.example.org'],
  ],
  [
    'rules/family-without-endpoints',
    'Service shop/tea',
    /no endpoint is IPv6: IPv6 clients are refused/,
    ['[10.96.4.4, "2001:db8::4"]', '[10.96.4.4]'],
  ],
  ['rules/headless-without-ready', 'Service shop/db', /does not resolve/, ['clusterIP: None, ', '']],
  [
    'rules/https-port-as-http',
    'Ingress shop/front',
    /port 443 of Service tea gets plain HTTP/,
    [
      '{name: front, namespace: shop}',
      '{name: front, namespace: shop, annotations: {nginx.ingress.kubernetes.io/backend-protocol: HTTPS}}',
    ],
  ],
  [
    'rules/ingress-backend-missing',
    'Ingress shop/front',
    /no Service tea/,
    ['backend: {service: {name: tea, port: {number: 80}}}', 'backend: {}'],
  ],
  [
    'rules/ingress-of-nobody',
    'Ingress shop/front',
    /no controller serves it/,
    ['spec: {', 'spec: {ingressClassName: nginx, '],
  ],
  [
    'rules/local-policy-blackhole',
    'Service shop/tea',
    /node port 30080 is dropped on node-2: /,
    ['externalTrafficPolicy: Local', 'externalTrafficPolicy: Cluster'],
  ],
  [
    'rules/ndots-cost',
    'Deployment shop/tea',
    /api\.example\.org costs 8 questions/,
    ['api.example.org/', 'api.example.org./'],
  ],
  [
    'rules/node-port-bypasses-ranges',
    'Service shop/tea',
    /node ports are open/,
    [', nodePort: 30080}]', '}], allocateLoadBalancerNodePorts: false'],
  ],
  [
    'rules/path-type-refused',
    'Ingress shop/front',
    /"\/v\[0-9\]\+\/" is no plain path: the webhook refuses it with pathType Prefix, and without use-regex/,
    ['Prefix', 'ImplementationSpecific'],
  ],
  [
    'rules/plain-http-despite-tls',
    'Ingress shop/front',
    /http:\/\/shop\.example\.org\/ is served without TLS/,
    ['"false"', '"true"'],
  ],
  ['rules/port-name-mismatch', 'Service shop/tea', /"http"/, ['name: web', 'name: http']],
  ['rules/proxy-refuses', 'Service shop/tea', /203\.0\.113\.0\/33/, ['/33', '/32']],
  [
    'rules/redirect-loop',
    'Ingress shop/front',
    /http:\/\/shop\.example\.org\/new → http:\/\/shop\.example\.org\/new/,
    ['http://shop', 'http://other'],
  ],
  [
    'rules/regex-spreads-over-host',
    'Ingress shop/front',
    /\/admin matches in any case and as a beginning, because Ingress shop\/api/,
    ['"true"', '"false"'],
  ],
  [
    'rules/rewrite-drops-path',
    'Ingress shop/front',
    /shop\.example\.org\/tea\/a and \/tea\/b both reach the backend as \/$/,
    ['rewrite-target: /}', 'app-root: /tea}'],
  ],
  [
    'rules/service-without-endpoints',
    'Service shop/tea',
    /refused/,
    ['selector: {app: tea}, ports: [{port: 80}]', 'type: ExternalName, externalName: tea.example.org'],
  ],
  ['rules/shadowed-path', 'Ingress shop/b', /only the older one/, ['path: /tea', 'path: /cup']],
  ['rules/snippet-use', 'Ingress shop/front', /raw configuration/, ['server-snippet', 'app-root']],
  [
    'rules/source-ranges-one-family',
    'Service shop/tea',
    /no range is IPv6/,
    ['203.0.113.0/24', '"2001:db8::/32", 203.0.113.0/24'],
  ],
  [
    'rules/tls-certificate-unusable',
    'Ingress shop/front',
    /Secret shop\/shop-tls cannot be used/,
    ['secretName: shop-tls', 'secretName: other'],
  ],
  [
    'rules/tls-secret-conflict',
    'Ingress shop/b',
    /shows the certificate of Secret shop\/one/,
    ['secretName: two', 'secretName: one'],
  ],
  ['rules/tls-secret-missing', 'Ingress shop/front', /no Secret shop\/shop-tls/, [', secretName: shop-tls', '']],
] as const)(
  '%s finds something in its example, and nothing once that is mended',
  async (file, object, message, [from, to]) => {
    const { id, example } = ruleOf(file)
    const found = await lintText(id, example)
    expect(found.map((one) => printRef(one.object))).toContain(object)
    expect(found[0]?.message).toMatch(message)
    expect(example).toContain(from)
    const cured = await lintText(id, example.replace(from, to))
    expect(cured).toEqual([])
  },
)

test('rules are in the order of their names, each with a page of its own', () => {
  const ids = lintRules.map(({ id }) => id)
  expect(ids).toEqual([...ids].sort())
  for (const { docs, summary } of lintRules) {
    expect(docs).toMatch(/^[A-Z`].*\.$/)
    expect(summary).toMatch(/^[a-z].*[^.]$/)
  }
})

test('no rule throws when a line of an example is missing', async () => {
  for (const { example } of lintRules) {
    const lines = example.split('\n')
    for (const left of lines.keys()) {
      const text = lines.filter((_, i) => i !== left).join('\n')
      const output: Output = { data: () => {}, note: () => {}, readStdin: async () => text, hasColour: false }
      const { snapshot, objects } = await readFiles({ filename: ['-'], recursive: false }, output)
      for (const { id, check } of lintRules) {
        expect(() => check(snapshot, objects), `${id} without line ${left + 1} of\n${example}`).not.toThrow()
      }
    }
  }
}, 60_000)

function ruleOf(file: string): (typeof lintRules)[number] {
  const rule = lintRules.find(({ id }) => file === `rules/${id}`)
  if (rule === undefined) throw new Error(`no rule ${file}`)
  return rule
}

async function lintText(id: string, text: string): Promise<ReturnType<(typeof lintRules)[number]['check']>> {
  const output: Output = { data: () => {}, note: () => {}, readStdin: async () => text, hasColour: false }
  const { snapshot, objects } = await readFiles({ filename: ['-'], recursive: false }, output)
  return ruleOf(`rules/${id}`).check(snapshot, objects)
}
