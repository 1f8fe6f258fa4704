// Cluster DNS at a glance: load, answers, latency, cache, upstream servers, cost.

import type { Dashboard } from './dashboard.ts'

const of = (name: string, more = ''): string => `${name}{instance=~"$instance"${more}}`

/** The dashboard of coredns-ts; CoreDNS has the same series, but the one named `kubewire_`. */
export const dnsDashboard: Dashboard = {
  uid: 'kubewire-dns',
  title: 'Kubewire / DNS',
  variables: { instance: 'label_values(coredns_dns_requests_total, instance)' },
  rows: [
    [
      {
        title: 'Questions',
        unit: 'reqps',
        isStat: true,
        queries: { [`sum(rate(${of('coredns_dns_requests_total')}[5m]))`]: '' },
      },
      {
        title: 'SERVFAIL',
        unit: 'percentunit',
        isStat: true,
        queries: {
          [`sum(rate(${of('coredns_dns_responses_total', ',rcode="SERVFAIL"')}[5m])) / sum(rate(${of('coredns_dns_responses_total')}[5m]))`]:
            '',
        },
      },
      {
        title: 'p99',
        unit: 's',
        isStat: true,
        queries: {
          [`histogram_quantile(0.99, sum by (le) (rate(${of('coredns_dns_request_duration_seconds_bucket')}[5m])))`]:
            '',
        },
      },
      {
        title: 'Cache hits',
        unit: 'percentunit',
        isStat: true,
        queries: {
          [`sum(rate(${of('coredns_cache_hits_total')}[5m])) / sum(rate(${of('coredns_cache_requests_total')}[5m]))`]:
            '',
        },
      },
    ],
    [
      {
        title: 'Questions by type',
        unit: 'reqps',
        queries: { [`sum by (type) (rate(${of('coredns_dns_requests_total')}[5m]))`]: '{{type}}' },
      },
      {
        title: 'Answers by code',
        unit: 'reqps',
        queries: { [`sum by (rcode) (rate(${of('coredns_dns_responses_total')}[5m]))`]: '{{rcode}}' },
      },
    ],
    [
      {
        title: 'Latency',
        unit: 's',
        queries: Object.fromEntries(
          [0.5, 0.9, 0.99].map((quantile) => [
            `histogram_quantile(${quantile}, sum by (le) (rate(${of('coredns_dns_request_duration_seconds_bucket')}[5m])))`,
            `p${quantile * 100}`,
          ]),
        ),
      },
      {
        title: 'Changed endpoints until answered',
        unit: 's',
        queries: {
          [`histogram_quantile(0.99, sum by (le) (rate(${of('coredns_kubernetes_dns_programming_duration_seconds_bucket')}[10m])))`]:
            'p99',
        },
      },
    ],
    [
      {
        title: 'Cache',
        unit: 'short',
        queries: {
          [`sum by (type) (${of('coredns_cache_entries')})`]: 'entries, {{type}}',
          [`sum(rate(${of('kubewire_cache_changes_total')}[5m]))`]: 'left because their object changed, per second',
        },
      },
      {
        title: 'Upstream servers',
        unit: 's',
        queries: {
          [`histogram_quantile(0.99, sum by (to, le) (rate(${of('coredns_proxy_request_duration_seconds_bucket')}[5m])))`]:
            'p99 of {{to}}',
        },
      },
    ],
    [
      {
        title: 'Memory',
        unit: 'bytes',
        queries: { [of('process_resident_memory_bytes')]: '{{instance}}' },
      },
      {
        title: 'CPU',
        unit: 'short',
        queries: { [`rate(${of('process_cpu_seconds_total')}[5m])`]: '{{instance}}' },
      },
    ],
  ],
}
