// Names, labels and buckets of kube-proxy's metrics. Source: kube-proxy 1.37 pkg/proxy/metrics/metrics.go.

import { createMetrics, type Metrics } from '@kubewire/daemon-kit'
import { invalidCounter, localhostCounter } from '@kubewire/iptables-gen'
import type { Nfacct } from './kernel/nfacct.ts'
import { kubernetesVersion } from './kubernetes-version.ts'

const syncBuckets: number[] = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i)
const latencyBuckets: number[] = [0.25, 0.5, ...range(1, 59, 1), ...range(60, 115, 5), ...range(120, 300, 30)]
const family = ['ip_family']

function range(first: number, last: number, step: number): readonly number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step)
}

type Counter = ReturnType<Metrics['counter']>
type Gauge = ReturnType<Metrics['gauge']>
type Histogram = ReturnType<Metrics['histogram']>

/** All metrics of the proxy. */
export interface ProxyMetrics {
  readonly registry: Metrics
  readonly syncSeconds: Histogram
  readonly fullSyncSeconds: Histogram
  readonly partialSyncSeconds: Histogram
  readonly lastSync: Gauge
  readonly lastQueued: Gauge
  readonly programmingSeconds: Histogram
  readonly endpointChangesPending: Gauge
  readonly endpointChanges: Counter
  readonly serviceChangesPending: Gauge
  readonly serviceChanges: Counter
  readonly rulesTotal: Gauge
  readonly rulesLast: Gauge
  readonly restoreFailures: Counter
  readonly partialRestoreFailures: Counter
  readonly nftSyncFailures: Counter
  readonly nftCleanupFailures: Counter
  readonly noLocalEndpoints: Gauge
  readonly conntrackSeconds: Histogram
  readonly conntrackDeleted: Counter
  readonly healthz: Counter
  readonly livez: Counter
  readonly invalidDropped: Counter
  readonly localhostAccepted: Counter
  /** Not one of kube-proxy's. */
  readonly foreignChanges: Counter
}

/** Makes the metrics of a mode; values that exist from the start are set to zero for the families that run. */
export function createProxyMetrics(families: readonly string[], mode = 'iptables'): ProxyMetrics {
  const registry = createMetrics()
  const metrics = { registry, ...syncMetrics(registry), ...changeMetrics(registry), ...otherMetrics(registry) }
  tellVersion(registry)
  for (const ip_family of families) {
    metrics.restoreFailures.inc({ ip_family }, 0)
    metrics.partialRestoreFailures.inc({ ip_family }, 0)
    metrics.nftSyncFailures.inc({ ip_family }, 0)
    metrics.nftCleanupFailures.inc({ ip_family }, 0)
    metrics.conntrackDeleted.inc({ ip_family }, 0)
    for (const found_by of ['canary', 'audit']) metrics.foreignChanges.inc({ ip_family, found_by }, 0)
  }
  const isForeign = (name: string): boolean =>
    packetCounters.includes(name) || name.includes(mode === 'nftables' ? '_iptables_' : '_nftables_')
  for (const { name } of registry.registry.getMetricsAsArray())
    if (isForeign(name)) registry.registry.removeSingleMetric(name)
  return metrics
}

// Alerts compare the versions of a cluster's parts by it.
function tellVersion(registry: Metrics): void {
  const labels = {
    build_date: '',
    compiler: 'node',
    git_commit: '',
    git_tree_state: '',
    git_version: `v${kubernetesVersion}`,
    go_version: '',
    major: kubernetesVersion.split('.')[0] ?? '',
    minor: kubernetesVersion.split('.')[1] ?? '',
    platform: 'linux',
  }
  const help =
    "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running."
  registry.gauge({ name: 'kubernetes_build_info', help, labelNames: Object.keys(labels) }).set(labels, 1)
}

// Shown only where the kernel counts by name: `collectCounters` brings them back.
const packetCounters = [
  'kubeproxy_iptables_ct_state_invalid_dropped_packets_total',
  'kubeproxy_iptables_localhost_nodeports_accepted_packets_total',
]

/** Shows the two packet counters, and lets them read the kernel's named counters whenever metrics are asked for. */
export function collectCounters(metrics: ProxyMetrics, nfacct: Nfacct): void {
  const follow = (counter: Counter, name: string): void => {
    metrics.registry.registry.registerMetric(counter)
    // prom-client calls `collect` before it prints a metric.
    Object.assign(counter, {
      async collect() {
        const packets = await nfacct.packets(name)
        if (packets === undefined) return
        counter.reset()
        counter.inc(packets)
      },
    })
  }
  follow(metrics.invalidDropped, invalidCounter)
  follow(metrics.localhostAccepted, localhostCounter)
}

function alpha(help: string): string {
  return `[ALPHA] ${help}`
}

function syncMetrics(
  metrics: Metrics,
): Pick<
  ProxyMetrics,
  'syncSeconds' | 'fullSyncSeconds' | 'partialSyncSeconds' | 'lastSync' | 'lastQueued' | 'programmingSeconds'
> {
  return {
    syncSeconds: metrics.histogram({
      name: 'kubeproxy_sync_proxy_rules_duration_seconds',
      help: alpha('SyncProxyRules latency in seconds'),
      labelNames: family,
      buckets: syncBuckets,
    }),
    fullSyncSeconds: metrics.histogram({
      name: 'kubeproxy_sync_full_proxy_rules_duration_seconds',
      help: alpha('SyncProxyRules latency in seconds for full resyncs'),
      labelNames: family,
      buckets: syncBuckets,
    }),
    partialSyncSeconds: metrics.histogram({
      name: 'kubeproxy_sync_partial_proxy_rules_duration_seconds',
      help: alpha('SyncProxyRules latency in seconds for partial resyncs'),
      labelNames: family,
      buckets: syncBuckets,
    }),
    lastSync: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_last_timestamp_seconds',
      help: alpha('The last time proxy rules were successfully synced'),
      labelNames: family,
    }),
    lastQueued: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds',
      help: alpha('The last time a sync of proxy rules was queued'),
      labelNames: family,
    }),
    programmingSeconds: metrics.histogram({
      name: 'kubeproxy_network_programming_duration_seconds',
      help: alpha('In Cluster Network Programming Latency in seconds'),
      labelNames: family,
      buckets: latencyBuckets,
    }),
  }
}

function changeMetrics(
  metrics: Metrics,
): Pick<
  ProxyMetrics,
  | 'endpointChangesPending'
  | 'endpointChanges'
  | 'serviceChangesPending'
  | 'serviceChanges'
  | 'rulesTotal'
  | 'rulesLast'
  | 'restoreFailures'
  | 'partialRestoreFailures'
  | 'nftSyncFailures'
  | 'nftCleanupFailures'
  | 'noLocalEndpoints'
> {
  return {
    endpointChangesPending: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_endpoint_changes_pending',
      help: alpha('Pending proxy rules Endpoint changes'),
    }),
    endpointChanges: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_endpoint_changes_total',
      help: alpha('Cumulative proxy rules Endpoint changes'),
    }),
    serviceChangesPending: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_service_changes_pending',
      help: alpha('Pending proxy rules Service changes'),
    }),
    serviceChanges: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_service_changes_total',
      help: alpha('Cumulative proxy rules Service changes'),
    }),
    rulesTotal: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_iptables_total',
      help: alpha('Total number of iptables rules owned by kube-proxy'),
      labelNames: ['table', 'ip_family'],
    }),
    rulesLast: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_iptables_last',
      help: alpha('Number of iptables rules written by kube-proxy in last sync'),
      labelNames: ['table', 'ip_family'],
    }),
    restoreFailures: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_iptables_restore_failures_total',
      help: alpha('Cumulative proxy iptables restore failures'),
      labelNames: family,
    }),
    partialRestoreFailures: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total',
      help: alpha('Cumulative proxy iptables partial restore failures'),
      labelNames: family,
    }),
    nftSyncFailures: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_nftables_sync_failures_total',
      help: alpha('Cumulative proxy nftables sync failures'),
      labelNames: family,
    }),
    nftCleanupFailures: metrics.counter({
      name: 'kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total',
      help: alpha('Cumulative proxy nftables cleanup failures'),
      labelNames: family,
    }),
    noLocalEndpoints: metrics.gauge({
      name: 'kubeproxy_sync_proxy_rules_no_local_endpoints_total',
      help: alpha('Number of services with a Local traffic policy and no endpoints'),
      labelNames: ['traffic_policy', 'ip_family'],
    }),
  }
}

function otherMetrics(
  metrics: Metrics,
): Pick<
  ProxyMetrics,
  | 'conntrackSeconds'
  | 'conntrackDeleted'
  | 'healthz'
  | 'livez'
  | 'invalidDropped'
  | 'localhostAccepted'
  | 'foreignChanges'
> {
  return {
    conntrackSeconds: metrics.histogram({
      name: 'kubeproxy_conntrack_reconciler_sync_duration_seconds',
      help: alpha('ReconcileConntrackFlowsLatency latency in seconds'),
      labelNames: family,
      buckets: syncBuckets,
    }),
    conntrackDeleted: metrics.counter({
      name: 'kubeproxy_conntrack_reconciler_deleted_entries_total',
      help: alpha('Cumulative conntrack flows deleted by conntrack reconciler'),
      labelNames: family,
    }),
    healthz: metrics.counter({
      name: 'kubeproxy_proxy_healthz_total',
      help: alpha('Cumulative proxy healthz HTTP status'),
      labelNames: ['code'],
    }),
    livez: metrics.counter({
      name: 'kubeproxy_proxy_livez_total',
      help: alpha('Cumulative proxy livez HTTP status'),
      labelNames: ['code'],
    }),
    invalidDropped: metrics.counter({
      name: 'kubeproxy_iptables_ct_state_invalid_dropped_packets_total',
      help: alpha('packets dropped by iptables to work around conntrack problems'),
    }),
    foreignChanges: metrics.counter({
      name: 'kubewire_proxy_foreign_changes_total',
      help: 'Times that rules in the kernel were found changed by somebody else, and were repaired',
      labelNames: ['ip_family', 'found_by'],
    }),
    localhostAccepted: metrics.counter({
      name: 'kubeproxy_iptables_localhost_nodeports_accepted_packets_total',
      help: alpha('Number of packets accepted on nodeports of loopback interface'),
    }),
  }
}
