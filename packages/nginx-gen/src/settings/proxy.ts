// Keys that are defaults of location annotations: redirects, errors, proxying, limits.

import {
  bodySize,
  flag,
  integer,
  integerFrom,
  memorySize,
  nginxTime,
  oneOf,
  textOf,
  url,
  type ValueParser,
} from '../annotations/values.ts'
import { directive } from '../config/node.ts'
import type { SettingTable } from './define.ts'
import { anyList, anyText, goodItems, numberAs, plain, redirectCode, statusCode, textAs } from './values.ts'

export interface ProxySettings {
  readonly 'http-redirect-code': number
  readonly 'ssl-redirect': boolean
  readonly 'force-ssl-redirect': boolean
  readonly 'preserve-trailing-slash': boolean
  readonly 'use-port-in-redirects': boolean
  readonly 'relative-redirects': boolean
  readonly 'no-tls-redirect-locations': readonly string[]
  readonly 'no-auth-locations': readonly string[]
  readonly 'custom-http-errors': readonly number[]
  readonly 'disable-proxy-intercept-errors': boolean
  readonly 'app-root': string
  readonly 'default-type': string
  readonly 'proxy-body-size': string
  readonly 'proxy-connect-timeout': number
  readonly 'proxy-send-timeout': number
  readonly 'proxy-read-timeout': number
  readonly 'proxy-buffers-number': number
  readonly 'proxy-buffer-size': string
  readonly 'proxy-busy-buffers-size': string
  readonly 'proxy-buffering': 'on' | 'off'
  readonly 'proxy-request-buffering': 'on' | 'off'
  readonly 'proxy-http-version': '1.0' | '1.1'
  readonly 'proxy-max-temp-file-size': string
  readonly 'proxy-cookie-domain': string
  readonly 'proxy-cookie-path': string
  readonly 'proxy-redirect-from': string
  readonly 'proxy-redirect-to': string
  readonly 'proxy-next-upstream': string
  readonly 'proxy-next-upstream-timeout': number
  readonly 'proxy-next-upstream-tries': number
  readonly 'retry-non-idempotent': boolean
  readonly 'proxy-ssl-location-only': boolean
  readonly 'service-upstream': boolean
  readonly 'grpc-buffer-size-kb': number
  readonly 'load-balance': string
  readonly 'upstream-hash-by': string
  readonly 'upstream-hash-by-subset': boolean
  readonly 'upstream-hash-by-subset-size': number
  readonly 'upstream-keepalive-connections': number
  readonly 'upstream-keepalive-time': string
  readonly 'upstream-keepalive-timeout': number
  readonly 'upstream-keepalive-requests': number
  readonly 'limit-rate': number
  readonly 'limit-rate-after': number
  readonly 'limit-req-status-code': number
  readonly 'limit-conn-status-code': number
  readonly 'limit-conn-zone-variable': string
}

/** nginx takes no page for 499, which no client would see. */
const pageCode: ValueParser<number> = {
  expected: 'a status code from 300 to 599 but 499',
  parse: (text) => (text === '499' ? undefined : statusCode(300, 599).parse(text)),
}

/** `off`, or two words. */
const pair = textOf(/^(?:off|[A-Za-z0-9\-._~/:]+ +[A-Za-z0-9\-._~/:]+)$/, 'off, or two words')

/** COMPAT: the text goes to nginx as it is, which takes either case. */
const anyOnOff = oneOf(['on', 'off'], { ignoreCase: true })

/** The keys of this area. */
export const proxySettings: SettingTable<ProxySettings> = {
  'http-redirect-code': plain(redirectCode, 308, 'status of redirects to https and to or from www'),
  'ssl-redirect': plain(flag, true, 'default of the annotation of this name'),
  'force-ssl-redirect': plain(flag, false, 'default of the annotation of this name'),
  'preserve-trailing-slash': plain(flag, false, 'default of the annotation of this name'),
  'use-port-in-redirects': plain(flag, false, 'default of the annotation of this name'),
  'relative-redirects': plain(flag, false, 'default of the annotation of this name'),
  'no-tls-redirect-locations': plain(
    anyList,
    ['/.well-known/acme-challenge'],
    'path prefixes that are never redirected to https',
  ),
  'no-auth-locations': plain(anyList, ['/.well-known/acme-challenge'], 'path prefixes without authentication'),
  'custom-http-errors': goodItems(pageCode, [], 'status codes that the default backend answers'),
  'disable-proxy-intercept-errors': plain(flag, false, 'keeps error answers of backends'),
  'app-root': plain(anyText, '', 'known and not used'),
  'default-type': textAs('default_type', anyText, 'text/html', 'content type of files without a known one'),
  'proxy-body-size': plain(bodySize, '1m', 'default of the annotation of this name'),
  'proxy-connect-timeout': plain(integer, 5, 'default of the annotation of this name, seconds'),
  'proxy-send-timeout': plain(integer, 60, 'default of the annotation of this name, seconds'),
  'proxy-read-timeout': plain(integer, 60, 'default of the annotation of this name, seconds'),
  'proxy-buffers-number': plain(integerFrom(2), 4, 'default of the annotation of this name'),
  'proxy-buffer-size': plain(memorySize, '4k', 'default of the annotation of this name'),
  'proxy-busy-buffers-size': plain(memorySize, '', 'default of the annotation of this name'),
  'proxy-buffering': plain(anyOnOff, 'off', 'default of the annotation of this name'),
  'proxy-request-buffering': plain(anyOnOff, 'on', 'default of the annotation of this name'),
  'proxy-http-version': plain(oneOf(['1.0', '1.1']), '1.1', 'default of the annotation of this name'),
  'proxy-max-temp-file-size': plain(memorySize, '1024m', 'default of the annotation of this name'),
  'proxy-cookie-domain': plain(pair, 'off', 'default of the annotation of this name'),
  'proxy-cookie-path': plain(pair, 'off', 'default of the annotation of this name'),
  'proxy-redirect-from': plain(url, 'off', 'default of the annotation of this name'),
  'proxy-redirect-to': plain(url, 'off', 'default of the annotation of this name'),
  'proxy-next-upstream': plain(
    textOf(
      /^(?:(?:error|timeout|invalid_header|http_500|http_502|http_503|http_504|http_403|http_404|http_429|non_idempotent|off) ?)+$/,
      'conditions of proxy_next_upstream',
    ),
    'error timeout',
    'default of the annotation of this name',
  ),
  'proxy-next-upstream-timeout': plain(integer, 0, 'default of the annotation of this name, seconds'),
  'proxy-next-upstream-tries': plain(integer, 3, 'default of the annotation of this name'),
  'retry-non-idempotent': plain(flag, false, 'retries POST and the like too'),
  'proxy-ssl-location-only': plain(flag, false, 'writes proxy-ssl-* in locations only'),
  'service-upstream': plain(flag, false, 'default of the annotation of this name'),
  'grpc-buffer-size-kb': {
    ...numberAs('grpc_buffer_size', 0, '', 'buffer for gRPC answers, KiB'),
    render: (kilobytes) => (kilobytes > 0 ? [directive('grpc_buffer_size', `${kilobytes}k`)] : []),
  },
  'load-balance': plain(anyText, '', 'default of the annotation of this name'),
  'upstream-hash-by': plain(anyText, '', 'known and not applied globally'),
  'upstream-hash-by-subset': plain(flag, false, 'known and not applied globally'),
  'upstream-hash-by-subset-size': plain(integer, 0, 'known and not applied globally'),
  'upstream-keepalive-connections': plain(integerFrom(0, 65_535), 320, 'idle connections to backends, per worker'),
  'upstream-keepalive-time': plain(nginxTime, '1h', 'how long a connection to a backend may serve'),
  'upstream-keepalive-timeout': plain(integerFrom(0), 60, 'how long a connection to a backend may idle, seconds'),
  'upstream-keepalive-requests': plain(integerFrom(0), 10000, 'requests over one connection to a backend'),
  'limit-rate': plain(integer, 0, 'default of the annotation of this name, KiB/s'),
  'limit-rate-after': plain(integer, 0, 'default of the annotation of this name, KiB'),
  'limit-req-status-code': {
    ...numberAs('limit_req_status', 503, '', 'status beyond a request rate'),
    value: statusCode(400, 599),
  },
  'limit-conn-status-code': {
    ...numberAs('limit_conn_status', 503, '', 'status beyond a number of connections'),
    value: statusCode(400, 599),
  },
  'limit-conn-zone-variable': plain(
    textOf(/^\$[a-z][a-z0-9_]*$/, 'one nginx variable'),
    '$binary_remote_addr',
    'variable that limits count by',
  ),
}
