// KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1) as one table: every field with its type, default and flag.
// Reading, defaults, flags and printing all follow it. Source: kube-proxy 1.37 `--help` and `--write-config-to`.

/** Type of a field; durations are kept in milliseconds. */
export type FieldKind = 'string' | 'bool' | 'int' | 'float' | 'duration' | 'strings' | 'gates' | 'any'

/** A value of a field. */
export type FieldValue = string | boolean | number | readonly string[] | { readonly [name: string]: unknown } | null

/** One field. */
export interface Field {
  /** Path in the file. */
  readonly path: string
  readonly kind: FieldKind
  /** What `--write-config-to` prints for a configuration that says nothing. */
  readonly default: FieldValue
  /** An absent, empty or zero value in a file means the default. */
  readonly zeroIsDefault?: boolean
  /** Command-line flag, without dashes. */
  readonly flag?: string
  /** What the flag shows unless it is given, where that is not the default of the field. */
  readonly flagDefault?: FieldValue
  readonly help?: string
}

const hour = 3_600_000

/** All fields, in the order of their names. */
export const fields: readonly Field[] = [
  {
    path: 'bindAddress',
    kind: 'string',
    default: '0.0.0.0',
    zeroIsDefault: true,
    flag: 'bind-address',
    help: "Overrides kube-proxy's idea of what its node's primary IP is; nothing binds to it. Ignored with --config.",
  },
  {
    path: 'bindAddressHardFail',
    kind: 'bool',
    default: false,
    flag: 'bind-address-hard-fail',
    help: 'Failure to bind to a port is fatal.',
  },
  { path: 'clientConnection.acceptContentTypes', kind: 'string', default: '' },
  {
    path: 'clientConnection.burst',
    kind: 'int',
    default: 10,
    zeroIsDefault: true,
    flag: 'kube-api-burst',
    help: 'Burst to use while talking with the API server.',
  },
  {
    path: 'clientConnection.contentType',
    kind: 'string',
    default: 'application/vnd.kubernetes.protobuf',
    zeroIsDefault: true,
    flag: 'kube-api-content-type',
    help: 'Content type of requests sent to the API server.',
  },
  {
    path: 'clientConnection.kubeconfig',
    kind: 'string',
    default: '',
    flag: 'kubeconfig',
    help: 'Path to a kubeconfig file with authorization information.',
  },
  {
    path: 'clientConnection.qps',
    kind: 'float',
    default: 5,
    zeroIsDefault: true,
    flag: 'kube-api-qps',
    help: 'QPS to use while talking with the API server.',
  },
  {
    path: 'clusterCIDR',
    kind: 'string',
    default: '',
    flag: 'cluster-cidr',
    help: 'The CIDR range of the pods in the cluster, or a dual-stack pair. Ignored with --config.',
  },
  {
    path: 'configSyncPeriod',
    kind: 'duration',
    default: 15 * 60_000,
    zeroIsDefault: true,
    flag: 'config-sync-period',
    help: 'How often configuration from the API server is refreshed. Must be greater than 0.',
  },
  {
    path: 'conntrack.maxPerCore',
    kind: 'int',
    default: 32_768,
    flag: 'conntrack-max-per-core',
    help: 'Maximum number of NAT connections to track per CPU core (0 to leave the limit as is).',
  },
  {
    path: 'conntrack.min',
    kind: 'int',
    default: 131_072,
    flag: 'conntrack-min',
    help: 'Minimum number of conntrack entries to allocate.',
  },
  {
    path: 'conntrack.tcpBeLiberal',
    kind: 'bool',
    default: false,
    flag: 'conntrack-tcp-be-liberal',
    help: 'Sets nf_conntrack_tcp_be_liberal to 1.',
  },
  {
    path: 'conntrack.tcpCloseWaitTimeout',
    kind: 'duration',
    default: hour,
    flag: 'conntrack-tcp-timeout-close-wait',
    help: 'NAT timeout for TCP connections in the CLOSE_WAIT state.',
  },
  {
    path: 'conntrack.tcpEstablishedTimeout',
    kind: 'duration',
    default: 24 * hour,
    flag: 'conntrack-tcp-timeout-established',
    help: 'Idle timeout for established TCP connections (0 to leave as is).',
  },
  {
    path: 'conntrack.udpStreamTimeout',
    kind: 'duration',
    default: 0,
    flag: 'conntrack-udp-timeout-stream',
    help: 'Idle timeout for ASSURED UDP connections (0 to leave as is).',
  },
  {
    path: 'conntrack.udpTimeout',
    kind: 'duration',
    default: 0,
    flag: 'conntrack-udp-timeout',
    help: 'Idle timeout for UNREPLIED UDP connections (0 to leave as is).',
  },
  {
    path: 'detectLocal.bridgeInterface',
    kind: 'string',
    default: '',
    flag: 'pod-bridge-interface',
    help: 'A bridge interface name; traffic from it is local (mode BridgeInterface). Ignored with --config.',
  },
  {
    path: 'detectLocal.interfaceNamePrefix',
    kind: 'string',
    default: '',
    flag: 'pod-interface-name-prefix',
    help: 'An interface name prefix; traffic from it is local (mode InterfaceNamePrefix). Ignored with --config.',
  },
  {
    path: 'detectLocalMode',
    kind: 'string',
    default: 'ClusterCIDR',
    zeroIsDefault: true,
    flag: 'detect-local-mode',
    flagDefault: '',
    help: 'Mode to use to detect local traffic. Ignored with --config.',
  },
  {
    path: 'enableProfiling',
    kind: 'bool',
    default: false,
    flag: 'profiling',
    help: 'Enables profiling at /debug/pprof.',
  },
  {
    path: 'featureGates',
    kind: 'gates',
    default: {},
    flag: 'feature-gates',
    help: 'A set of key=value pairs that describe feature gates.',
  },
  {
    path: 'healthzBindAddress',
    kind: 'string',
    default: '',
    flag: 'healthz-bind-address',
    flagDefault: '0.0.0.0:10256',
    help: 'The IP address and port for the health check server.',
  },
  {
    path: 'hostnameOverride',
    kind: 'string',
    default: '',
    flag: 'hostname-override',
    help: 'The name of the Node that kube-proxy runs on.',
  },
  {
    path: 'iptables.localhostNodePorts',
    kind: 'bool',
    default: true,
    flag: 'iptables-localhost-nodeports',
    help: 'Allow access to node ports by localhost (IPv4).',
  },
  {
    path: 'iptables.masqueradeAll',
    kind: 'bool',
    default: false,
    flag: 'masquerade-all',
    help: 'SNAT all traffic sent via Service cluster IPs.',
  },
  {
    path: 'iptables.masqueradeBit',
    kind: 'int',
    default: 14,
    flag: 'iptables-masquerade-bit',
    help: 'The bit of the fwmark space that marks packets requiring SNAT. Must be within the range [0, 31].',
  },
  {
    path: 'iptables.minSyncPeriod',
    kind: 'duration',
    default: 1000,
    flag: 'iptables-min-sync-period',
    help: 'The minimum period between syncs of rules.',
  },
  {
    path: 'iptables.syncPeriod',
    kind: 'duration',
    default: 30_000,
    flag: 'iptables-sync-period',
    help: 'How frequently various re-synchronizing and cleanup operations are performed. Must be greater than 0.',
  },
  { path: 'ipvs.excludeCIDRs', kind: 'strings', default: null, flag: 'ipvs-exclude-cidrs', help: 'Not used here.' },
  {
    path: 'ipvs.minSyncPeriod',
    kind: 'duration',
    default: 0,
    flag: 'ipvs-min-sync-period',
    flagDefault: 1000,
    help: 'Not used here.',
  },
  { path: 'ipvs.scheduler', kind: 'string', default: '', flag: 'ipvs-scheduler', help: 'Not used here.' },
  { path: 'ipvs.strictARP', kind: 'bool', default: false, flag: 'ipvs-strict-arp', help: 'Not used here.' },
  {
    path: 'ipvs.syncPeriod',
    kind: 'duration',
    default: 0,
    flag: 'ipvs-sync-period',
    flagDefault: 30_000,
    help: 'Not used here.',
  },
  { path: 'ipvs.tcpFinTimeout', kind: 'duration', default: 0, flag: 'ipvs-tcpfin-timeout', help: 'Not used here.' },
  { path: 'ipvs.tcpTimeout', kind: 'duration', default: 0, flag: 'ipvs-tcp-timeout', help: 'Not used here.' },
  { path: 'ipvs.udpTimeout', kind: 'duration', default: 0, flag: 'ipvs-udp-timeout', help: 'Not used here.' },
  { path: 'logging.flushFrequency', kind: 'duration', default: 5000, zeroIsDefault: true },
  {
    path: 'logging.format',
    kind: 'string',
    default: 'text',
    zeroIsDefault: true,
    flag: 'logging-format',
    help: 'Sets the log format. Permitted formats: "text".',
  },
  { path: 'logging.options', kind: 'any', default: { json: { infoBufferSize: '0' }, text: { infoBufferSize: '0' } } },
  { path: 'logging.verbosity', kind: 'int', default: 0 },
  { path: 'logging.vmodule', kind: 'any', default: null },
  {
    path: 'metricsBindAddress',
    kind: 'string',
    default: '',
    flag: 'metrics-bind-address',
    flagDefault: '127.0.0.1:10249',
    help: 'The IP address and port for the metrics server.',
  },
  {
    path: 'mode',
    kind: 'string',
    default: 'iptables',
    flag: 'proxy-mode',
    flagDefault: '',
    help: 'Which proxy mode to use: iptables or nftables. Ignored with --config.',
  },
  { path: 'nftables.masqueradeAll', kind: 'bool', default: false },
  { path: 'nftables.masqueradeBit', kind: 'int', default: 14 },
  { path: 'nftables.minSyncPeriod', kind: 'duration', default: 0 },
  { path: 'nftables.syncPeriod', kind: 'duration', default: 0 },
  {
    path: 'nodePortAddresses',
    kind: 'strings',
    default: null,
    flag: 'nodeport-addresses',
    help: 'CIDRs, or primary, localhost, all: the local addresses that serve node ports. Ignored with --config.',
  },
  {
    path: 'oomScoreAdj',
    kind: 'int',
    default: -999,
    flag: 'oom-score-adj',
    help: 'The oom-score-adj value. Must be within the range [-1000, 1000].',
  },
  { path: 'portRange', kind: 'string', default: '' },
  {
    path: 'showHiddenMetricsForVersion',
    kind: 'string',
    default: '',
    flag: 'show-hidden-metrics-for-version',
    help: 'The previous version for which you want to show hidden metrics.',
  },
  { path: 'windowsRunAsService', kind: 'bool', default: false },
  { path: 'winkernel.enableDSR', kind: 'bool', default: false },
  { path: 'winkernel.forwardHealthCheckVip', kind: 'bool', default: false },
  { path: 'winkernel.networkName', kind: 'string', default: '' },
  { path: 'winkernel.rootHnsEndpointName', kind: 'string', default: '' },
  { path: 'winkernel.sourceVip', kind: 'string', default: '' },
]

const byPath = new Map(fields.map((field) => [field.path, field]))

/** The field at a path, or undefined. */
export function fieldAt(path: string): Field | undefined {
  return byPath.get(path)
}

/** Whether a path leads to a group of fields. */
export function isSection(path: string): boolean {
  return fields.some((field) => field.path.startsWith(`${path}.`))
}
