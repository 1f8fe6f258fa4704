// Every metric of the original under its name, kind and labels, each seen after something made it move.

import { endpointSlice, namespace, pod, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, startDaemonWorld } from './daemon-world.ts'

const zone = 'server zone view'
const cache = 'server zones view'
const rendered = `${zone} class type section template`

// biome-ignore format: a table
/** Name, kind and labels without the prefix (CoreDNS 1.15, each plugin's metrics.go). */
const metrics: readonly (readonly [name: string, kind: 'counter' | 'gauge' | 'histogram', labels: string])[] = [
  ['build_info', 'gauge', 'version revision goversion'],
  ['panics_total', 'counter', ''],
  ['plugin_enabled', 'gauge', `${zone} name`],
  ['dns_requests_total', 'counter', `${zone} proto family type`],
  ['dns_request_duration_seconds', 'histogram', zone],
  ['dns_request_size_bytes', 'histogram', `${zone} proto`],
  ['dns_do_requests_total', 'counter', zone],
  ['dns_response_size_bytes', 'histogram', `${zone} proto`],
  ['dns_responses_total', 'counter', `${zone} rcode plugin`],
  ['kubernetes_dns_programming_duration_seconds', 'histogram', 'service_kind'],
  ['kubernetes_rest_client_request_duration_seconds', 'histogram', 'verb host'],
  ['kubernetes_rest_client_rate_limiter_duration_seconds', 'histogram', 'verb host'],
  ['kubernetes_rest_client_requests_total', 'counter', 'code method host'],
  ['cache_entries', 'gauge', 'server type zones view'],
  ['cache_requests_total', 'counter', cache],
  ['cache_misses_total', 'counter', cache],
  ['cache_prefetch_total', 'counter', cache],
  ['cache_served_stale_total', 'counter', cache],
  ['cache_hits_total', 'counter', 'server type zones view'],
  ['cache_evictions_total', 'counter', 'server type zones view'],
  ['forward_healthcheck_broken_total', 'counter', ''],
  ['forward_max_concurrent_rejects_total', 'counter', ''],
  ['proxy_request_duration_seconds', 'histogram', 'proxy_name to rcode'],
  ['proxy_healthcheck_failures_total', 'counter', 'proxy_name to'],
  ['proxy_conn_cache_hits_total', 'counter', 'proxy_name to proto'],
  ['proxy_conn_cache_misses_total', 'counter', 'proxy_name to proto'],
  ['health_request_duration_seconds', 'histogram', ''],
  ['health_request_failures_total', 'counter', ''],
  ['reload_failed_total', 'counter', ''],
  ['reload_version_info', 'gauge', 'hash value'],
  ['hosts_entries', 'gauge', 'hostsfile'],
  ['hosts_reload_timestamp_seconds', 'gauge', ''],
  ['autopath_success_total', 'counter', 'server'],
  ['template_matches_total', 'counter', `${zone} class type`],
  ['template_template_failures_total', 'counter', rendered],
  ['template_rr_failures_total', 'counter', rendered],
  ['acl_blocked_requests_total', 'counter', zone],
  ['acl_filtered_requests_total', 'counter', zone],
  ['acl_dropped_requests_total', 'counter', zone],
  ['acl_allowed_requests_total', 'counter', 'server view'],
  ['dns64_requests_translated_total', 'counter', 'server'],
  ['local_localhost_requests_total', 'counter', ''],
]

const corefile = `
.:{{port}} {
  prometheus 127.0.0.1:{{other0}}
  health 127.0.0.1:{{other1}}
  local
  hosts {{dir}}/hosts example.org {
    fallthrough
  }
  dns64 {
    allow_ipv4
  }
  template IN TXT broken.example {
    answer "{{ .Name }} 5 IN TXT {{ index .Match 7 }}"
  }
  template IN MX broken.example {
    answer "{{ .Name }} 5 IN MX nonsense"
  }
  forward upstream.example 127.0.0.1:{{other2}} {
    force_tcp
  }
  forward dead.example 127.0.0.1:{{other3}} {
    max_fails 1
    health_check 100ms
  }
  autopath @kubernetes
  kubernetes cluster.local {
    kubeconfig {{kubeconfig}}
    pods verified
  }
}
acl.example:{{port}} {
  prometheus 127.0.0.1:{{other0}}
  acl {
    block type A
    filter type AAAA
    drop type MX
    allow
  }
  whoami
}
cached.example:{{port}} {
  prometheus 127.0.0.1:{{other0}}
  cache 1 {
    success 1024 1 1
    serve_stale
  }
  template IN A {
    answer "{{ .Name }} 1 IN A 192.0.2.1"
  }
}
.:{{other2}} {
  template IN A {
    answer "{{ .Name }} 60 IN A 192.0.2.77"
  }
}
`

describe('metrics', () => {
  let world: DaemonWorld
  const scrape = async (): Promise<string> => (await world.get(world.others[0] ?? 0, '/metrics')).body
  beforeAll(async () => {
    world = await startDaemonWorld(corefile, {
      files: { hosts: '192.0.2.9 a.example.org\n' },
      prepare: (api) => {
        api.apply(namespace('shop'))
        api.apply(service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }))
        const client = pod('shop/client', ['127.0.0.1'])
        api.apply({ ...client, spec: { ...client.spec, containers: [{ name: 'app', image: 'example.org/app' }] } })
      },
    })
    await provoke(world)
  }, 30_000)
  afterAll(() => world?.close())

  it.each(metrics)('have %s', async (name, kind, labels) => {
    const sample = new RegExp(`^coredns_${name}${kind === 'histogram' ? '_count' : ''}(?:\\{(.*)\\})? `, 'm')
    const text = await eventually(scrape, (body) => sample.test(body))
    expect(text).toContain(`# TYPE coredns_${name} ${kind}\n`)
    const [, pairs = ''] = sample.exec(text) ?? expect.fail(`no sample of ${name}`)
    const names = [...pairs.matchAll(/([a-z_]+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label)
    expect(names.join(' ')).toBe(labels)
  })

  it.each([
    'forward_healthcheck_broken_total',
    'local_localhost_requests_total',
    'health_request_duration_seconds_count',
  ])('count %s', async (name) => {
    const value = (body: string): number => Number(new RegExp(`^coredns_${name} (.*)$`, 'm').exec(body)?.[1])
    expect(value(await eventually(scrape, (body) => value(body) > 0))).toBeGreaterThan(0)
  })
})

/** Makes every metric move that does not by itself. */
async function provoke(world: DaemonWorld): Promise<void> {
  const trigger = { 'endpoints.kubernetes.io/last-change-trigger-time': new Date().toISOString() }
  const slice = endpointSlice('shop/tea', ['10.20.3.4'])
  world.api.apply({ ...slice, metadata: { ...slice.metadata, annotations: trigger } })
  const questions = [
    'tea.shop.svc.cluster.local. A',
    'tea.shop.svc.cluster.local. AAAA',
    'tea.shop.svc.cluster.local.shop.svc.cluster.local. A',
    'localhost.example.net. A',
    'a.example.org. A',
    'a.broken.example. TXT',
    'a.broken.example. MX',
    'a.upstream.example. A',
    'b.upstream.example. A',
    'a.acl.example. A',
    'a.acl.example. AAAA',
    'a.acl.example. TXT',
    'stale.cached.example. A',
    'stale.cached.example. A',
  ]
  for (const question of questions) await world.ask(question)
  await world.ask('tea.shop.svc.cluster.local. A', 'udp', {
    edns: { udpSize: 1232, version: 0, dnssecOk: true, options: [] },
  })
  // Without a reply: only sent.
  await world.ask('a.acl.example. MX')
  await world.ask('a.dead.example. A')
  for (let i = 0; i < 1100; i++) await world.ask(`n${i}.cached.example. A`)
  // Asked again until its second is over and it is served stale.
  const askAndScrape = async (): Promise<string> => {
    await world.ask('n1099.cached.example. A')
    return (await world.get(world.others[0] ?? 0, '/metrics')).body
  }
  await eventually(askAndScrape, (body) => body.includes('coredns_cache_served_stale_total{'))
  await world.ask('b.dead.example. A')
}
