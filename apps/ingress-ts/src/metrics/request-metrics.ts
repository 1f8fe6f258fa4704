// Metrics of requests: batches of the Lua side, one JSON array a line over a unix socket, become counters and histograms.
// Source of names and labels: ingress-nginx 1.15.1 internal/ingress/metric/collectors/socket.go.

import { chmodSync, chownSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { Log, Metrics } from '@kubewire/daemon-kit'
import type { ControllerLabels } from './metrics.ts'

type Counter = ReturnType<Metrics['counter']>
type Histogram = ReturnType<Metrics['histogram']>

/** How requests are counted; the flags of that name. */
export interface RequestMetricsOptions {
  readonly labels: ControllerLabels
  readonly perHost: boolean
  readonly perUndefinedHost: boolean
  readonly statusClasses: boolean
  /** Names without prefix that are left out. */
  readonly excluded: readonly string[]
  readonly timeBuckets: readonly number[]
  readonly lengthBuckets: readonly number[]
  readonly sizeBuckets: readonly number[]
}

/** Counts requests. */
export interface RequestMetrics {
  /** Takes one batch as the Lua side sends it. */
  take(batch: readonly (readonly (string | number)[])[]): void
  /** Hosts of Ingresses: requests for others are not counted. Series of Ingresses that are gone are removed. */
  setKnown(hosts: ReadonlySet<string>, ingresses: ReadonlySet<string>): void
}

const prefix = 'nginx_ingress_controller_'

/** Registers the metrics. */
export function createRequestMetrics(metrics: Metrics, options: RequestMetricsOptions): RequestMetrics {
  const names = ['status', 'method', 'path', 'namespace', 'ingress', 'service', 'canary']
  const labelNames = [...Object.keys(options.labels), ...names, ...(options.perHost ? ['host'] : [])]
  const excluded = new Set(options.excluded.map((name) => name.replace(prefix, '')))
  const histogram = (name: string, help: string, buckets: readonly number[]): Histogram | undefined =>
    excluded.has(name) ? undefined : metrics.histogram({ name: prefix + name, help, labelNames, buckets: [...buckets] })
  const requests = excluded.has('requests')
    ? undefined
    : metrics.counter({ name: `${prefix}requests`, help: 'The total number of client requests', labelNames })
  const { timeBuckets, lengthBuckets, sizeBuckets } = options
  // Each with the position of its value in a row; -1 there means that nginx had none.
  const histograms = [
    [histogram('request_duration_seconds', 'The request processing time in seconds', timeBuckets), 9],
    [
      histogram(
        'connect_duration_seconds',
        'The time spent on establishing a connection with the upstream server',
        timeBuckets,
      ),
      10,
    ],
    [
      histogram(
        'header_duration_seconds',
        'The time spent on receiving first header from the upstream server',
        timeBuckets,
      ),
      11,
    ],
    [
      histogram(
        'response_duration_seconds',
        'The time spent on receiving the response from the upstream server',
        timeBuckets,
      ),
      12,
    ],
    [
      histogram('request_size', 'The request length (including request line, header, and request body)', lengthBuckets),
      8,
    ],
    [
      histogram(
        'response_size',
        'The response length (including request line, header, and request body)',
        lengthBuckets,
      ),
      14,
    ],
    [histogram('bytes_sent', 'DEPRECATED The number of bytes sent to a client', sizeBuckets), 14],
  ] as const
  const series = new Map<string, { readonly [label: string]: string }>()
  let hosts: ReadonlySet<string> = new Set()
  return {
    take: (batch) => {
      for (const row of batch) {
        const labels = labelsOf(row, options, hosts)
        if (labels === undefined) continue
        series.set(Object.values(labels).join('\n'), labels)
        requests?.inc(labels)
        for (const [metric, at] of histograms) {
          const value = Number(row[at])
          if (value >= 0) metric?.observe(labels, value)
        }
      }
    },
    setKnown: (knownHosts, ingresses) => {
      hosts = knownHosts
      for (const [key, labels] of series) {
        if (ingresses.has(`${labels['namespace']}/${labels['ingress']}`) || labels['ingress'] === '') continue
        series.delete(key)
        removeSeries([requests, ...histograms.map(([metric]) => metric)], labels)
      }
    },
  }
}

/** Listens for batches; the socket may be used by nginx's workers and by root. */
export function serveBatches(path: string, metrics: RequestMetrics, log: Log): Promise<Server> {
  const server = createServer((socket) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', () => socket.destroy())
    socket.on('end', () => {
      for (const line of text.split('\n').filter((one) => one !== '')) takeLine(line, metrics, log)
      socket.end()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      shareWithWorkers(path)
      resolve(server)
    })
  })
}

// The folder `files/` beside it belongs to the group of the workers.
function shareWithWorkers(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, 0, statSync(path.replace(/[^/]*$/, 'files')).gid)
  chmodSync(path, 0o660)
}

function takeLine(line: string, metrics: RequestMetrics, log: Log): void {
  try {
    metrics.take(JSON.parse(line))
  } catch {
    log.warn('a batch of request metrics is no JSON', { bytes: line.length })
  }
}

function labelsOf(
  row: readonly (string | number)[],
  options: RequestMetricsOptions,
  hosts: ReadonlySet<string>,
): { readonly [label: string]: string } | undefined {
  const [host = '', namespace, ingress, service, canary, path, method, status] = row.map(String)
  // Without a label for hosts there is nothing that unknown ones could blow up: they count (socket.go, handleMessage).
  const counted = options.perHost ? countedHost(host, options, hosts) : ''
  if (counted === undefined) return undefined
  return {
    ...options.labels,
    status: options.statusClasses ? `${status?.charAt(0)}xx` : (status ?? ''),
    method: method ?? '',
    // COMPAT: the built-in root belongs to no Ingress and has no path (template getIngressInformation).
    path: ingress === '' ? '' : (path ?? ''),
    namespace: namespace ?? '',
    ingress: ingress ?? '',
    service: service ?? '',
    canary: canary ?? '',
    ...(options.perHost ? { host: counted } : {}),
  }
}

/** The value of the label: hosts of a mask count under the mask, so that nobody makes series by inventing names. */
function countedHost(
  host: string,
  { perUndefinedHost }: RequestMetricsOptions,
  hosts: ReadonlySet<string>,
): string | undefined {
  if (hosts.has(host) || perUndefinedHost) return host
  const mask = host.replace(/^[^.]+/, '*')
  return hosts.has(mask) ? mask : undefined
}

function removeSeries(
  all: readonly (Counter | Histogram | undefined)[],
  labels: { readonly [label: string]: string },
): void {
  for (const metric of all) metric?.remove(labels)
}
