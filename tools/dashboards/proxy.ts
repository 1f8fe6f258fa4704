// The service proxy at a glance: how long a change takes, what was written, what failed, cost.

import type { Dashboard } from './dashboard.ts'

const of = (name: string): string => `${name}{instance=~"$instance"}`
const p99 = (name: string): string => `histogram_quantile(0.99, sum by (le) (rate(${of(`${name}_bucket`)}[10m])))`

/** The dashboard of kube-proxy-ts; kube-proxy has the same series. */
export const proxyDashboard: Dashboard = {
  uid: 'kubewire-proxy',
  title: 'Kubewire / Service proxy',
  variables: { instance: 'label_values(kubeproxy_sync_proxy_rules_last_timestamp_seconds, instance)' },
  rows: [
    [
      {
        title: 'Changed endpoints until programmed, p99',
        unit: 's',
        isStat: true,
        queries: { [p99('kubeproxy_network_programming_duration_seconds')]: '' },
      },
      {
        title: 'Refused by the kernel',
        unit: 'short',
        isStat: true,
        queries: {
          [`sum(increase(${of('kubeproxy_sync_proxy_rules_iptables_restore_failures_total')}[1h]))`]: 'in an hour',
        },
      },
      {
        title: 'Longest wait',
        unit: 's',
        isStat: true,
        queries: {
          [`max(${of('kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds')} - ${of('kubeproxy_sync_proxy_rules_last_timestamp_seconds')})`]:
            '',
        },
      },
    ],
    [
      {
        title: 'Syncs',
        unit: 's',
        queries: {
          [p99('kubeproxy_sync_proxy_rules_duration_seconds')]: 'p99',
          [p99('kubeproxy_sync_partial_proxy_rules_duration_seconds')]: 'p99 of partial ones',
          [p99('kubeproxy_sync_full_proxy_rules_duration_seconds')]: 'p99 of full ones',
        },
      },
      {
        title: 'Changes',
        unit: 'short',
        queries: {
          [`sum(rate(${of('kubeproxy_sync_proxy_rules_service_changes_total')}[5m]))`]: 'Services per second',
          [`sum(rate(${of('kubeproxy_sync_proxy_rules_endpoint_changes_total')}[5m]))`]: 'endpoints per second',
        },
      },
    ],
    [
      {
        title: 'Rules',
        unit: 'short',
        queries: {
          [`max by (table) (${of('kubeproxy_sync_proxy_rules_iptables_total')})`]: '{{table}}',
          [`max by (table) (${of('kubeproxy_sync_proxy_rules_iptables_last')})`]: '{{table}}, last sync',
        },
      },
      {
        title: 'UDP flows forgotten',
        unit: 'short',
        queries: {
          [`sum(rate(${of('kubeproxy_conntrack_reconciler_deleted_entries_total')}[5m]))`]: 'per second',
        },
      },
    ],
    [
      {
        title: 'Services without local endpoints',
        unit: 'short',
        queries: {
          [`max by (traffic_policy) (${of('kubeproxy_sync_proxy_rules_no_local_endpoints_total')})`]:
            '{{traffic_policy}}',
        },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: { [`topk(10, ${of('process_resident_memory_bytes')})`]: '{{instance}}' },
      },
      {
        title: 'CPU',
        unit: 'short',
        queries: { [`topk(10, rate(${of('process_cpu_seconds_total')}[5m]))`]: '{{instance}}' },
      },
    ],
  ],
}
