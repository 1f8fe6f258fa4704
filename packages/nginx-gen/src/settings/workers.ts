// Keys of worker processes, listeners, protocol limits and hash sizes.

import { flag, integer, integerFrom, memorySize, nginxTime, textOf, type ValueParser } from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { SettingTable } from './define.ts'
import { flagAs, goodItems, ipAddress, numberAs, optionalSize, plain, textAs } from './values.ts'

/** Shared memory of nginx: its name and its size in nginx's spelling. */
export interface SharedDict {
  readonly name: string
  readonly size: string
}

export interface WorkerSettings {
  readonly 'use-http2': boolean
  readonly 'http2-max-field-size': string
  readonly 'http2-max-header-size': string
  readonly 'http2-max-requests': number
  readonly 'http2-max-concurrent-streams': number
  readonly 'keep-alive': number
  readonly 'keep-alive-requests': number
  readonly 'client-header-buffer-size': string
  readonly 'client-header-timeout': number
  readonly 'client-body-buffer-size': string
  readonly 'client-body-timeout': number
  readonly 'large-client-header-buffers': string
  readonly 'worker-processes': string
  readonly 'worker-cpu-affinity': string
  readonly 'worker-shutdown-timeout': string
  readonly 'enable-serial-reloads': boolean
  readonly 'max-worker-connections': number
  readonly 'max-worker-open-files': number
  readonly 'enable-multi-accept': boolean
  readonly 'reuse-port': boolean
  readonly 'enable-aio-write': boolean
  readonly 'bind-address': readonly string[]
  readonly 'disable-ipv6': boolean
  readonly 'disable-ipv6-dns': boolean
  readonly 'map-hash-bucket-size': number
  readonly 'server-name-hash-max-size': number
  readonly 'server-name-hash-bucket-size': number
  readonly 'proxy-headers-hash-max-size': number
  readonly 'proxy-headers-hash-bucket-size': number
  readonly 'variables-hash-max-size': number
  readonly 'variables-hash-bucket-size': number
  readonly 'lua-shared-dicts': readonly SharedDict[]
}

const positive = integerFrom(1)
/** nginx counts the size of a bucket in 16 bits. */
const bucketSize = integerFrom(1, 32_768)

/** COMPAT: a size without a unit is in MiB; at most 200 MiB (ingress-nginx configmap.go lua-shared-dicts). */
const sharedDict: ValueParser<SharedDict> = {
  expected: 'name:size of at most 200m',
  parse: (text) => {
    const [, name, digits, unit] = /^([a-z_]{1,64}) *: *([0-9]{1,6})([km]?)$/i.exec(text) ?? []
    if (name === undefined || Number(digits) > (unit?.toLowerCase() === 'k' ? 200 * 1024 : 200)) return undefined
    return { name, size: `${digits}${unit === '' ? 'm' : unit}` }
  },
}

/** The keys of this area. */
export const workerSettings: SettingTable<WorkerSettings> = {
  'use-http2': plain(flag, true, 'offers HTTP/2 over TLS'),
  'http2-max-field-size': plain(optionalSize, '', 'obsolete in nginx'),
  'http2-max-header-size': plain(optionalSize, '', 'obsolete in nginx'),
  'http2-max-requests': plain(integer, 0, 'obsolete in nginx'),
  'http2-max-concurrent-streams': {
    ...numberAs('http2_max_concurrent_streams', 128, '', 'parallel requests of one HTTP/2 connection'),
    value: positive,
  },
  'keep-alive': numberAs('keepalive_timeout', 75, 's', 'how long a connection of a client may idle, seconds'),
  'keep-alive-requests': numberAs('keepalive_requests', 1000, '', 'requests over one connection of a client'),
  'client-header-buffer-size': textAs('client_header_buffer_size', memorySize, '1k', 'buffer for request headers'),
  'client-header-timeout': numberAs('client_header_timeout', 60, 's', 'time to read request headers, seconds'),
  'client-body-buffer-size': plain(memorySize, '8k', 'default of the annotation of this name'),
  'client-body-timeout': numberAs('client_body_timeout', 60, 's', 'time between two reads of a body, seconds'),
  'large-client-header-buffers': {
    value: textOf(/^[1-9][0-9]{0,3} +[0-9]{1,7}[kKmM]?$/, 'a number and a size'),
    fallback: '4 8k',
    summary: 'buffers for long request headers',
    place: 'http',
    render: (text) => [directive('large_client_header_buffers', ...text.split(/ +/).map(literal))],
  },
  'worker-processes': {
    value: textOf(/^(?:auto|[1-9][0-9]{0,3})$/, 'a number or auto'),
    fallback: 'auto',
    summary: 'worker processes',
    place: 'main',
    render: (text) => [directive('worker_processes', literal(text))],
  },
  'worker-cpu-affinity': {
    value: textOf(/^(?:auto(?: [01]+)?|[01]+(?: [01]+)*)$/, 'CPU masks or auto'),
    fallback: '',
    summary: 'which CPUs workers are bound to',
    place: 'main',
    render: (text) => (text === '' ? [] : [directive('worker_cpu_affinity', ...text.split(' ').map(literal))]),
  },
  'worker-shutdown-timeout': textAs(
    'worker_shutdown_timeout',
    nginxTime,
    '240s',
    'how long old workers may finish',
    'main',
  ),
  'enable-serial-reloads': plain(flag, false, 'waits for old workers before the next reload'),
  'max-worker-connections': {
    ...numberAs('worker_connections', 16384, '', 'connections of one worker', 'events'),
    value: integerFrom(0),
    // 0 is computed from the open files (render/render.ts); where those are not known the default stands for them.
    render: (n) => [directive('worker_connections', n === 0 ? 16384 : n)],
  },
  'max-worker-open-files': {
    ...numberAs('worker_rlimit_nofile', 0, '', 'open files of one worker; 0 leaves the limit of the process', 'main'),
    value: integerFrom(0),
    render: (n) => (n === 0 ? [] : [directive('worker_rlimit_nofile', n)]),
  },
  'enable-multi-accept': flagAs('multi_accept', true, 'accepts all waiting connections at once', 'events'),
  'reuse-port': plain(flag, true, 'gives each worker its own listening socket'),
  'enable-aio-write': {
    value: flag,
    fallback: true,
    summary: 'writes files in threads',
    place: 'http',
    render: (on) => (on ? [directive('aio_write', 'on')] : []),
  },
  'bind-address': goodItems(ipAddress, [], 'addresses to listen on'),
  'disable-ipv6': plain(flag, false, 'makes no IPv6 listeners'),
  'disable-ipv6-dns': plain(flag, false, 'asks for no IPv6 addresses'),
  'map-hash-bucket-size': { ...numberAs('map_hash_bucket_size', 64, '', 'hash size of maps'), value: bucketSize },
  'server-name-hash-max-size': plain(positive, 1024, 'hash size of host names'),
  'server-name-hash-bucket-size': plain(
    integerFrom(0, 32_768),
    0,
    'hash bucket of host names; 0 is computed from the longest',
  ),
  'proxy-headers-hash-max-size': {
    ...numberAs('proxy_headers_hash_max_size', 512, '', 'hash size of headers'),
    value: positive,
  },
  'proxy-headers-hash-bucket-size': {
    ...numberAs('proxy_headers_hash_bucket_size', 64, '', 'hash bucket of headers'),
    value: bucketSize,
  },
  'variables-hash-max-size': {
    ...numberAs('variables_hash_max_size', 2048, '', 'hash size of variables'),
    value: positive,
  },
  'variables-hash-bucket-size': {
    ...numberAs('variables_hash_bucket_size', 256, '', 'hash bucket of variables'),
    value: bucketSize,
  },
  'lua-shared-dicts': goodItems(sharedDict, [], 'sizes of shared memory: name:size'),
}
