// What must survive: a tenant's text that nginx refuses, endpoints and certificates that change, nginx that is killed.
// Scenarios in the format of the conformance cases, so that the runner's world is used and proven at the same time.

import type { KubeObject } from '@kubewire/kube-model'
import type { IngressCase } from '@kubewire/nginx-gen/cases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AreaRun } from '../conformance/area.ts'
import { area } from '../conformance/ingress/area.ts'
import { whyNoNetns } from '../harness/netns.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`daemon.kernel.ts is skipped: ${missing}`)

const nginxClass: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'nginx' },
  spec: { controller: 'k8s.io/ingress-nginx' },
} as KubeObject

function service(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { clusterIP: '10.96.0.9', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] },
  } as KubeObject
}

function slice(name: string, addresses: readonly string[]): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ port: 8080, protocol: 'TCP' }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  } as KubeObject
}

function ingress(
  name: string,
  host: string,
  annotations: { readonly [name: string]: string } = {},
  path = '/',
): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', annotations },
    spec: {
      ingressClassName: 'nginx',
      rules: [{ host, http: { paths: [{ path, pathType: 'Prefix', backend }] } }],
    },
  } as KubeObject
}

const shop: Pick<IngressCase, 'backends' | 'cluster'> = {
  backends: [
    { name: 'one', address: '10.20.3.4', port: 8080 },
    { name: 'two', address: '10.20.3.5', port: 8080 },
  ],
  cluster: [nginxClass, service('tea'), slice('tea', ['10.20.3.4']), ingress('good', 'good.example.org')],
}

// A value that only nginx itself can refuse: raw text, let through by the administrator.
const brokenSnippet = { 'nginx.ingress.kubernetes.io/configuration-snippet': 'proxy_read_timeout nonsense;' }
// Repeats of repeats, which only the expression library itself finds too large.
const tooLarge = '/(?:(?:[a-z]{1,900}){1,900}){1,900}'
const snippetsOn = { 'allow-snippet-annotations': 'true', 'annotations-risk-level': 'Critical' }
const served = (host: string, backend: string) => ({ host, path: '/', expect: { status: 200, backend } })

describe.skipIf(missing !== undefined)('the ingress daemon with a real nginx', () => {
  let run: AreaRun
  beforeAll(async () => {
    run = await area.open({ target: 'ours', api: 'mini', via: 'real', settings: {}, progress: () => {} })
  })
  afterAll(() => run?.close())

  const scenarios: readonly (readonly [fact: string, data: IngressCase])[] = [
    [
      'an Ingress that nginx refuses is set aside; the others are served and go on changing',
      {
        ...shop,
        configMap: snippetsOn,
        cluster: [...(shop.cluster ?? []), ingress('broken', 'broken.example.org', brokenSnippet)],
        steps: [
          {
            requests: [
              served('good.example.org', 'one'),
              { host: 'broken.example.org', path: '/', expect: { status: 404 } },
            ],
          },
          {
            apply: [ingress('later', 'later.example.org')],
            reload: true,
            requests: [served('later.example.org', 'one')],
          },
          { apply: [slice('tea', ['10.20.3.5'])], reload: false, requests: [served('good.example.org', 'two')] },
          {
            apply: [ingress('broken', 'broken.example.org')],
            reload: true,
            requests: [served('broken.example.org', 'two')],
          },
        ],
      },
    ],
    [
      'a new Ingress that nginx refuses is named by a metric, reloads go on',
      {
        ...shop,
        configMap: snippetsOn,
        steps: [
          { requests: [served('good.example.org', 'one')] },
          {
            apply: [ingress('bad', 'bad.example.org', brokenSnippet), ingress('fine', 'fine.example.org')],
            requests: [served('good.example.org', 'one'), served('fine.example.org', 'one')],
          },
        ],
        metrics: [
          { has: 'nginx_ingress_controller_quarantined_ingress{namespace="shop",ingress="bad"} 1', subset: true },
          { has: 'nginx_ingress_controller_config_last_reload_successful{} 1', subset: true },
        ],
      },
    ],
    [
      'a path that nginx cannot use as an expression sets its Ingress aside, also where hosts are data',
      {
        ...shop,
        steps: [
          { requests: [served('good.example.org', 'one')] },
          {
            apply: [
              ingress('large', 'large.example.org', { 'nginx.ingress.kubernetes.io/use-regex': 'true' }, tooLarge),
              ingress('fine', 'fine.example.org'),
            ],
            requests: [
              served('good.example.org', 'one'),
              served('fine.example.org', 'one'),
              { host: 'large.example.org', path: '/', expect: { status: 404 } },
            ],
          },
        ],
        metrics: [
          { has: 'nginx_ingress_controller_quarantined_ingress{namespace="shop",ingress="large"} 1', subset: true },
        ],
      },
    ],
    [
      'an update that nginx refuses leaves the last good version in force',
      {
        ...shop,
        configMap: snippetsOn,
        steps: [
          { requests: [served('good.example.org', 'one')] },
          {
            apply: [ingress('good', 'renamed.example.org', brokenSnippet), ingress('fine', 'fine.example.org')],
            requests: [
              served('good.example.org', 'one'),
              served('fine.example.org', 'one'),
              { host: 'renamed.example.org', path: '/', expect: { status: 404 } },
            ],
          },
          { apply: [ingress('good', 'renamed.example.org')], requests: [served('renamed.example.org', 'one')] },
        ],
      },
    ],
    [
      'a setting that nginx refuses is left out; the other settings hold and Ingresses go on changing',
      {
        ...shop,
        configMap: { 'http-snippet': 'no_such_directive on;', 'server-tokens': 'true' },
        steps: [
          {
            requests: [
              {
                host: 'good.example.org',
                path: '/',
                expect: { status: 200, backend: 'one', responseHeaders: { Server: '/nginx/' } },
              },
            ],
          },
          {
            apply: [ingress('later', 'later.example.org')],
            reload: true,
            requests: [served('later.example.org', 'one')],
          },
          {
            configMap: { 'http-snippet': 'more_set_headers "X-Edge: yes";' },
            reload: true,
            requests: [
              { host: 'good.example.org', path: '/', expect: { status: 200, responseHeaders: { 'X-Edge': 'yes' } } },
            ],
          },
        ],
      },
    ],
    [
      'endpoints come, move and go without a reload',
      {
        ...shop,
        steps: [
          { requests: [served('good.example.org', 'one')] },
          {
            apply: [slice('tea', ['10.20.3.5'])],
            reload: false,
            requests: [{ ...served('good.example.org', 'two'), repeat: 20 }],
          },
          {
            apply: [slice('tea', [])],
            reload: false,
            requests: [{ host: 'good.example.org', path: '/', expect: { status: 503 } }],
          },
          {
            apply: [slice('tea', ['10.20.3.4', '10.20.3.5'])],
            reload: false,
            requests: [
              {
                host: 'good.example.org',
                path: '/',
                repeat: 20,
                expect: { status: 200, distribution: { one: [5, 15], two: [5, 15] } },
              },
            ],
          },
        ],
      },
    ],
  ]
  it.each(scenarios)('%s', async (name, data) => {
    const results = await run.runCase({ path: name, suite: 'ingress', name, data: data as never })
    expect(results.filter((one) => one.outcome !== 'passed')).toEqual([])
    expect(results.length).toBeGreaterThan(3)
  })
})
