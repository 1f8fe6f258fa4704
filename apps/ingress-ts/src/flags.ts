// The command line of ingress-nginx 1.15.1 as a table: every flag of its reference, with its default.
// Flags of our own stand at the end; none of them is needed.

import type { FlagDefinition } from '@kubewire/daemon-kit'

/** Every flag we accept. */
export const flagTable: IngressFlagTable = {
  'apiserver-host': {
    kind: 'string',
    default: '',
    help: 'Address of the API server; else the kubeconfig or the service account is used.',
  },
  'certificate-authority': { kind: 'string', default: '', help: 'File with the CA certificate for --apiserver-host.' },
  kubeconfig: { kind: 'string', default: '', help: 'Path of a kubeconfig.' },
  'ingress-class': { kind: 'string', default: 'nginx', help: 'Value of the class annotation that is ours.' },
  'controller-class': {
    kind: 'string',
    default: 'k8s.io/ingress-nginx',
    help: 'spec.controller of IngressClasses that are ours.',
  },
  'watch-ingress-without-class': { kind: 'bool', default: false, help: 'Also serve Ingresses without any class.' },
  'ingress-class-by-name': {
    kind: 'bool',
    default: false,
    help: 'The IngressClass named by --ingress-class is ours, too.',
  },
  'watch-namespace': { kind: 'string', default: '', help: 'Watch this namespace only.' },
  'watch-namespace-selector': { kind: 'string', default: '', help: 'Watch namespaces with these labels only.' },
  configmap: { kind: 'string', default: '', help: 'ConfigMap with the settings, as namespace/name.' },
  'tcp-services-configmap': { kind: 'string', default: '', help: 'ConfigMap with exposed TCP services.' },
  'udp-services-configmap': { kind: 'string', default: '', help: 'ConfigMap with exposed UDP services.' },
  'default-backend-service': { kind: 'string', default: '', help: 'Service that answers what no rule asks for.' },
  'default-ssl-certificate': { kind: 'string', default: '', help: 'Secret with the default certificate.' },
  'default-server-port': { kind: 'int', default: 8181, help: 'Port of the built-in server that answers 404.' },
  'disable-catch-all': { kind: 'bool', default: false, help: 'Ignore Ingresses with a default backend.' },
  'disable-svc-external-name': { kind: 'bool', default: false, help: 'Ignore Services of type ExternalName.' },
  'annotations-prefix': { kind: 'string', default: 'nginx.ingress.kubernetes.io', help: 'Prefix of all annotations.' },
  'enable-annotation-validation': { kind: 'bool', default: true, help: 'Check annotation values.' },
  'deep-inspect': { kind: 'bool', default: true, help: 'Refuse Ingresses that smell of an attack.' },
  'enable-ssl-passthrough': {
    kind: 'bool',
    default: false,
    help: 'Hand TLS through to backends by SNI where Ingresses ask for it.',
  },
  'ssl-passthrough-proxy-port': { kind: 'int', default: 442, help: 'Port of nginx behind the passthrough listener.' },
  'enable-ssl-chain-completion': { kind: 'bool', default: false, help: 'Accepted; chains are not completed.' },
  'http-port': { kind: 'int', default: 80, help: 'Port for HTTP.' },
  'https-port': { kind: 'int', default: 443, help: 'Port for HTTPS.' },
  'healthz-port': { kind: 'int', default: 10254, help: 'Port of health checks and metrics.' },
  'healthz-host': { kind: 'string', default: '', help: 'Address of health checks and metrics.' },
  'health-check-path': { kind: 'string', default: '/healthz', help: 'Path of the health check.' },
  'health-check-timeout': { kind: 'int', default: 10, help: 'Seconds that a health check may take.' },
  'status-port': { kind: 'int', default: 10246, help: 'Port of /nginx_status on the loopback.' },
  'stream-port': { kind: 'int', default: 10247, help: 'Accepted; stream services use no port of their own.' },
  profiling: { kind: 'bool', default: true, help: 'Accepted; there is no profiler endpoint.' },
  'profiler-port': { kind: 'int', default: 10245, help: 'Accepted; there is no profiler endpoint.' },
  'profiler-address': { kind: 'string', default: '127.0.0.1', help: 'Accepted; there is no profiler endpoint.' },
  'sync-period': { kind: 'duration', default: 0, help: 'How often every object is looked at again.' },
  'sync-rate-limit': { kind: 'float', default: 0.3, help: 'Most syncs per second.' },
  'dynamic-configuration-retries': { kind: 'int', default: 15, help: 'How often a push of data to nginx is repeated.' },
  'disable-full-test': { kind: 'bool', default: false, help: 'Admission looks at the checked Ingress alone.' },
  'disable-sync-events': { kind: 'bool', default: false, help: 'No "Sync" events on Ingresses.' },
  'validating-webhook': { kind: 'string', default: '', help: 'Address of the admission webhook.' },
  'validating-webhook-certificate': { kind: 'string', default: '', help: 'File with its certificate.' },
  'validating-webhook-key': { kind: 'string', default: '', help: 'File with its key.' },
  'disable-leader-election': { kind: 'bool', default: false, help: 'Act as leader without an election.' },
  'election-id': { kind: 'string', default: 'ingress-controller-leader', help: 'Name of the Lease.' },
  'election-ttl': { kind: 'duration', default: 30_000, help: 'Duration of the lease.' },
  'update-status': { kind: 'bool', default: true, help: 'Write addresses into the status of Ingresses.' },
  'update-status-on-shutdown': { kind: 'bool', default: true, help: 'Clear them at the end if nobody else serves.' },
  'status-update-interval': { kind: 'int', default: 60, help: 'Seconds between two status updates, at least 5.' },
  'publish-service': { kind: 'string', default: '', help: 'Service whose addresses are published.' },
  'publish-status-address': { kind: 'string', default: '', help: 'Addresses to publish, separated by commas.' },
  'report-node-internal-ip-address': { kind: 'bool', default: false, help: 'Publish internal addresses of nodes.' },
  'shutdown-grace-period': { kind: 'int', default: 0, help: 'Seconds to wait before shutting down.' },
  'post-shutdown-grace-period': { kind: 'int', default: 10, help: 'Seconds to wait after nginx has ended.' },
  'enable-topology-aware-routing': { kind: 'bool', default: false, help: 'Prefer endpoints of the same zone.' },
  'enable-metrics': { kind: 'bool', default: false, help: 'Count requests.' },
  'metrics-per-host': { kind: 'bool', default: true, help: 'Label request metrics with the host.' },
  'metrics-per-undefined-host': { kind: 'bool', default: false, help: 'Also count requests for hosts of no Ingress.' },
  'report-status-classes': { kind: 'bool', default: false, help: 'Label with 2xx instead of 200.' },
  'exclude-socket-metrics': { kind: 'list', default: [], help: 'Request metrics to leave out.' },
  'monitor-max-batch-size': {
    kind: 'int',
    default: 10_000,
    help: 'Most requests of one worker and second that are counted.',
  },
  'time-buckets': {
    kind: 'list',
    default: ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10'],
    help: 'Buckets of durations, in seconds.',
  },
  'length-buckets': {
    kind: 'list',
    default: ['10', '20', '30', '40', '50', '60', '70', '80', '90', '100'],
    help: 'Buckets of sizes, in bytes.',
  },
  'size-buckets': {
    kind: 'list',
    default: ['10', '100', '1000', '10000', '100000', '1e+06', '1e+07'],
    help: 'Buckets of bytes sent.',
  },
  'bucket-factor': { kind: 'float', default: 0, help: 'Accepted; native histograms are not offered.' },
  'max-buckets': { kind: 'int', default: 100, help: 'Accepted; native histograms are not offered.' },
  'internal-logger-address': {
    kind: 'string',
    default: '127.0.0.1:11514',
    help: 'Accepted; there is no chroot image.',
  },
  'maxmind-mirror': { kind: 'string', default: '', help: 'Accepted; databases are not downloaded.' },
  'maxmind-license-key': { kind: 'string', default: '', help: 'Accepted; databases are not downloaded.' },
  'maxmind-edition-ids': {
    kind: 'string',
    default: 'GeoLite2-City,GeoLite2-ASN',
    help: 'Databases that use-geoip2 needs, all of them in /etc/ingress-controller/geoip.',
  },
  'maxmind-retries-count': { kind: 'int', default: 1, help: 'Accepted; databases are not downloaded.' },
  'maxmind-retries-timeout': { kind: 'duration', default: 0, help: 'Accepted; databases are not downloaded.' },
  version: { kind: 'bool', default: false, help: 'Print the version and exit.' },

  // the logging library's flags
  v: { kind: 'int', default: 2, help: 'Verbosity; from 3 on everything is logged.' },
  logtostderr: { kind: 'bool', default: true, help: 'Accepted; logs go to standard error.' },
  alsologtostderr: { kind: 'bool', default: false, help: 'Accepted; logs go to standard error.' },
  stderrthreshold: { kind: 'string', default: '2', help: 'Accepted; logs go to standard error.' },
  log_dir: { kind: 'string', default: '', help: 'Accepted; logs go to standard error.' },
  log_file: { kind: 'string', default: '', help: 'Accepted; logs go to standard error.' },
  log_file_max_size: { kind: 'int', default: 1800, help: 'Accepted; logs go to standard error.' },
  vmodule: { kind: 'string', default: '', help: 'Accepted; verbosity is the same everywhere.' },
  add_dir_header: { kind: 'bool', default: false, help: 'Accepted.' },
  skip_headers: { kind: 'bool', default: false, help: 'Accepted.' },
  skip_log_headers: { kind: 'bool', default: false, help: 'Accepted.' },
  one_output: { kind: 'bool', default: false, help: 'Accepted.' },
  log_backtrace_at: { kind: 'string', default: '', help: 'Accepted.' },

  // ours
  'run-directory': {
    kind: 'string',
    default: '/run/ingress-ts',
    help: 'Folder for the configuration, sockets and temporary files.',
  },
  'nginx-binary': { kind: 'string', default: 'nginx', help: 'The nginx to run.' },
  'nginx-modules-directory': {
    kind: 'string',
    default: '/usr/lib/nginx/modules',
    help: 'Folder of its dynamic modules.',
  },
  'nginx-user': { kind: 'string', default: 'www-data', help: 'User of the worker processes, when started by root.' },
  'reload-drain': {
    kind: 'duration',
    default: 300,
    help: 'How long before a reload HTTP/1 clients are told to open new connections; 0 is not at all.',
  },
  extension: {
    kind: 'string',
    default: '',
    help: 'ES module that adds annotations or changes the configuration tree; watched.',
  },
  dynamic: {
    kind: 'bool',
    default: true,
    help: 'Change endpoints and certificates without a reload; needs the Lua module.',
  },
  routes: {
    kind: 'string',
    default: 'data',
    help: 'data: hosts and paths change without a reload, too; static: each host is a server of nginx.conf.',
  },
}

/** The type of the table: which flags hold which kind of value. */
export type IngressFlagTable = { readonly [N in StringFlag]: Flag<'string'> } & {
  readonly [N in BoolFlag]: Flag<'bool'>
} & { readonly [N in IntFlag]: Flag<'int'> } & { readonly [N in DurationFlag]: Flag<'duration'> } & {
  readonly [N in FloatFlag]: Flag<'float'>
} & { readonly [N in ListFlag]: Flag<'list'> }

type Flag<K extends FlagDefinition['kind']> = Extract<FlagDefinition, { readonly kind: K }>

type StringFlag =
  | 'apiserver-host'
  | 'certificate-authority'
  | 'kubeconfig'
  | 'ingress-class'
  | 'controller-class'
  | 'watch-namespace'
  | 'watch-namespace-selector'
  | 'configmap'
  | 'tcp-services-configmap'
  | 'udp-services-configmap'
  | 'default-backend-service'
  | 'default-ssl-certificate'
  | 'annotations-prefix'
  | 'healthz-host'
  | 'health-check-path'
  | 'profiler-address'
  | 'validating-webhook'
  | 'validating-webhook-certificate'
  | 'validating-webhook-key'
  | 'election-id'
  | 'publish-service'
  | 'publish-status-address'
  | 'internal-logger-address'
  | 'maxmind-mirror'
  | 'maxmind-license-key'
  | 'maxmind-edition-ids'
  | 'stderrthreshold'
  | 'log_dir'
  | 'log_file'
  | 'vmodule'
  | 'log_backtrace_at'
  | 'run-directory'
  | 'nginx-binary'
  | 'nginx-modules-directory'
  | 'nginx-user'
  | 'extension'
  | 'routes'

type BoolFlag =
  | 'watch-ingress-without-class'
  | 'ingress-class-by-name'
  | 'disable-catch-all'
  | 'disable-svc-external-name'
  | 'enable-annotation-validation'
  | 'deep-inspect'
  | 'enable-ssl-passthrough'
  | 'enable-ssl-chain-completion'
  | 'profiling'
  | 'disable-full-test'
  | 'disable-sync-events'
  | 'disable-leader-election'
  | 'update-status'
  | 'update-status-on-shutdown'
  | 'report-node-internal-ip-address'
  | 'enable-topology-aware-routing'
  | 'enable-metrics'
  | 'metrics-per-host'
  | 'metrics-per-undefined-host'
  | 'report-status-classes'
  | 'version'
  | 'logtostderr'
  | 'alsologtostderr'
  | 'add_dir_header'
  | 'skip_headers'
  | 'skip_log_headers'
  | 'one_output'
  | 'dynamic'

type IntFlag =
  | 'default-server-port'
  | 'ssl-passthrough-proxy-port'
  | 'http-port'
  | 'https-port'
  | 'healthz-port'
  | 'health-check-timeout'
  | 'status-port'
  | 'stream-port'
  | 'profiler-port'
  | 'dynamic-configuration-retries'
  | 'status-update-interval'
  | 'shutdown-grace-period'
  | 'post-shutdown-grace-period'
  | 'monitor-max-batch-size'
  | 'max-buckets'
  | 'maxmind-retries-count'
  | 'v'
  | 'log_file_max_size'

type DurationFlag = 'reload-drain' | 'sync-period' | 'election-ttl' | 'maxmind-retries-timeout'

type FloatFlag = 'sync-rate-limit' | 'bucket-factor'

type ListFlag = 'exclude-socket-metrics' | 'time-buckets' | 'length-buckets' | 'size-buckets'
