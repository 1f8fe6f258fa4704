// Names, kinds, labels and buckets of every metric (CoreDNS plugin/metrics and each plugin's metrics.go). Plugins name
// a metric and give label values in this order; the shell keeps the numbers.

/** One metric. Histogram buckets are upper bounds in the unit of the name. */
export interface MetricDefinition {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  readonly buckets?: readonly number[]
}

const requestBuckets = powers(0.00025, 2, 16)
const sizeBuckets = [0, 100, 200, 300, 400, 511, 1023, 2047, 4095, 8291, 16e3, 32e3, 48e3, 64e3]
const zone = ['server', 'zone', 'view'] as const
const cache = ['server', 'zones', 'view'] as const
const typed = ['server', 'type', 'zones', 'view'] as const
const rendered = ['server', 'zone', 'view', 'class', 'type', 'section', 'template'] as const

/** Every metric, by plugin. */
// biome-ignore format: a table
export const metricDefinitions: readonly MetricDefinition[] = [
  gauge('coredns_build_info', ['version', 'revision', 'goversion'], 'Version of this program.'),
  counter('coredns_panics_total', [], 'Exceptions while answering.'),
  gauge('coredns_plugin_enabled', [...zone, 'name'], 'Plugins in use.'),
  counter('coredns_dns_requests_total', [...zone, 'proto', 'family', 'type'], 'Questions.'),
  histogram('coredns_dns_request_duration_seconds', zone, requestBuckets, 'Time to answer.'),
  histogram('coredns_dns_request_size_bytes', [...zone, 'proto'], sizeBuckets, 'Size of questions.'),
  counter('coredns_dns_do_requests_total', zone, 'Questions with the DO bit.'),
  histogram('coredns_dns_response_size_bytes', [...zone, 'proto'], sizeBuckets, 'Size of replies.'),
  counter('coredns_dns_responses_total', [...zone, 'rcode', 'plugin'], 'Replies by code and plugin.'),
  counter('coredns_dns_https_responses_total', ['server', 'status'], 'DNS over HTTPS replies by status.'),
  counter('kubewire_connections_refused_total', ['server', 'reason'], 'Connections over a bound of their listener.'),
  histogram('coredns_kubernetes_dns_programming_duration_seconds', ['service_kind'], powers(0.001, 2, 20), 'Time from a change to its name.'),
  histogram('coredns_kubernetes_rest_client_request_duration_seconds', ['verb', 'host'], powers(0.001, 2, 15), 'Time of API requests.'),
  histogram('coredns_kubernetes_rest_client_rate_limiter_duration_seconds', ['verb', 'host'], powers(0.001, 2, 15), 'Time API requests waited.'),
  counter('coredns_kubernetes_rest_client_requests_total', ['code', 'method', 'host'], 'API requests.'),
  gauge('coredns_cache_entries', typed, 'Entries in the cache.'),
  counter('coredns_cache_requests_total', cache, 'Questions to the cache.'),
  counter('coredns_cache_hits_total', typed, 'Answers from the cache.'),
  counter('coredns_cache_misses_total', cache, 'Questions the cache did not know.'),
  counter('coredns_cache_prefetch_total', cache, 'Refreshes ahead of time.'),
  counter('coredns_cache_drops_total', cache, 'Replies that did not match their question.'),
  counter('coredns_cache_served_stale_total', cache, 'Expired answers.'),
  counter('coredns_cache_evictions_total', typed, 'Entries that made room.'),
  counter('kubewire_cache_changes_total', [], 'Entries dropped because an object of the cluster changed.'),
  counter('coredns_forward_healthcheck_broken_total', [], 'All upstreams down.'),
  counter('coredns_forward_max_concurrent_rejects_total', [], 'Questions over the limit.'),
  histogram('coredns_proxy_request_duration_seconds', ['proxy_name', 'to', 'rcode'], requestBuckets, 'Time of upstreams.'),
  counter('coredns_proxy_healthcheck_failures_total', ['proxy_name', 'to'], 'Failed probes of upstreams.'),
  counter('coredns_proxy_conn_cache_hits_total', ['proxy_name', 'to', 'proto'], 'Reused connections.'),
  counter('coredns_proxy_conn_cache_misses_total', ['proxy_name', 'to', 'proto'], 'New connections.'),
  histogram('coredns_health_request_duration_seconds', [], powers(0.00025, 10, 5), 'Time of own health checks.'),
  counter('coredns_health_request_failures_total', [], 'Failed own health checks.'),
  counter('coredns_reload_failed_total', [], 'Reloads that kept the old configuration.'),
  gauge('coredns_reload_version_info', ['hash', 'value'], 'Configuration in use.'),
  gauge('coredns_hosts_entries', ['hostsfile'], 'Names of hosts files.'),
  gauge('coredns_hosts_reload_timestamp_seconds', [], 'When hosts files were read.'),
  counter('coredns_autopath_success_total', ['server'], 'Search paths walked with success.'),
  counter('coredns_template_matches_total', [...zone, 'class', 'type'], 'Questions that matched a template.'),
  counter('coredns_template_template_failures_total', rendered, 'Templates that failed.'),
  counter('coredns_template_rr_failures_total', rendered, 'Templates that made no record.'),
  counter('coredns_acl_blocked_requests_total', zone, 'Questions blocked.'),
  counter('coredns_acl_filtered_requests_total', zone, 'Questions filtered.'),
  counter('coredns_acl_dropped_requests_total', zone, 'Questions dropped.'),
  counter('coredns_acl_allowed_requests_total', ['server', 'view'], 'Questions allowed.'),
  counter('coredns_dns64_requests_translated_total', ['server'], 'Translated questions.'),
  counter('coredns_local_localhost_requests_total', [], 'Questions for localhost names.'),
]

/** Types that have a value of their own in the label `type`; others count as `other` (plugin/metrics/vars). */
export const monitoredTypes: ReadonlySet<string> = new Set(
  'A AAAA ANY AXFR CNAME DNSKEY DS HTTPS IXFR MX NS NSEC NSEC3 PTR RRSIG SOA SRV SVCB TXT'.split(' '),
)

function counter(name: string, labels: readonly string[], help: string): MetricDefinition {
  return { name, kind: 'counter', help, labels }
}

function gauge(name: string, labels: readonly string[], help: string): MetricDefinition {
  return { name, kind: 'gauge', help, labels }
}

function histogram(
  name: string,
  labels: readonly string[],
  buckets: readonly number[],
  help: string,
): MetricDefinition {
  return { name, kind: 'histogram', help, labels, buckets }
}

function powers(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => start * factor ** i)
}
