// proxy-*, client-body-buffer-size: how nginx talks to the backend. The ConfigMap holds the defaults, and what equals
// them is written once in http (render/inherit.ts).
// Source: ingress-nginx 1.15 annotations/proxy, annotations/clientbodybuffersize.

import { type ConfigNode, directive, interpolated, literal } from '../config/node.ts'
import type { RiskLevel } from '../settings/security.ts'
import { type Upstreaming, upstreaming } from './backend-protocol.ts'
import {
  type Annotation,
  at,
  defineAnnotation,
  defineFamily,
  type Family,
  featureOf,
  type ResolveContext,
} from './define.ts'
import {
  bodySize as bodySizeValue,
  bytesOf,
  integer,
  integerFrom,
  memorySize,
  oneOf,
  onOff,
  textOf,
  url,
  type ValueParser,
} from './values.ts'

/** Resolved values; times in seconds, sizes as nginx spells them. */
export interface Proxy {
  readonly connectTimeout: number
  readonly sendTimeout: number
  readonly readTimeout: number
  readonly bodySize: string
  readonly clientBodyBufferSize: string
  readonly buffering: 'on' | 'off'
  readonly buffersNumber: number
  readonly bufferSize: string
  readonly busyBuffersSize: string
  readonly maxTempFileSize: string
  readonly requestBuffering: 'on' | 'off'
  readonly httpVersion: '1.0' | '1.1'
  readonly cookieDomain: string
  readonly cookiePath: string
  readonly nextUpstream: string
  readonly nextUpstreamTimeout: number
  readonly nextUpstreamTries: number
  readonly redirectFrom: string
  readonly redirectTo: string
}

const conditions =
  'error|timeout|invalid_header|http_500|http_502|http_503|http_504|http_403|http_404|http_429|non_idempotent|off'

/** `off`, or two words of these characters. One word other than `off` breaks the file and so every later change. */
function pairOf(characters: string): ValueParser<string> {
  return textOf(new RegExp(`^(?:off|[${characters}]+ +[${characters}]+)$`), 'off, or two words')
}

function proxyAnnotation<T>(
  name: string,
  value: ValueParser<T>,
  summary: string,
  tier: 1 | 2 | 3,
  risk: RiskLevel = 'Low',
): Annotation<T> {
  const fallback = 'the ConfigMap value'
  return defineAnnotation({
    names: [name],
    group: 'proxy',
    scope: 'location',
    risk,
    value,
    invalid: 'ignore',
    fallback,
    summary,
    tier,
  })
}

const connectTimeout = proxyAnnotation('proxy-connect-timeout', integer, 'seconds to connect to the backend', 1)
const sendTimeout = proxyAnnotation('proxy-send-timeout', integer, 'seconds between two writes to the backend', 1)
const readTimeout = proxyAnnotation('proxy-read-timeout', integer, 'seconds between two reads from the backend', 1)
const bodySize = proxyAnnotation('proxy-body-size', bodySizeValue, 'largest request body; 0 is no limit', 1, 'Medium')
const clientBodyBufferSize = defineAnnotation({
  ...proxyAnnotation('client-body-buffer-size', memorySize, 'part of a request body that stays in memory', 2),
  invalid: 'refuse',
})
const buffering = proxyAnnotation('proxy-buffering', onOff, 'buffers answers', 1)
const buffersNumber = proxyAnnotation('proxy-buffers-number', integerFrom(2), 'number of buffers for an answer', 2)
const bufferSize = proxyAnnotation('proxy-buffer-size', memorySize, 'size of one buffer', 1)
const busyBuffersSize = proxyAnnotation(
  'proxy-busy-buffers-size',
  memorySize,
  'part of the buffers that may be busy',
  3,
)
const maxTempFileSize = proxyAnnotation(
  'proxy-max-temp-file-size',
  memorySize,
  'largest temporary file of an answer',
  2,
)
const requestBuffering = proxyAnnotation('proxy-request-buffering', onOff, 'reads a request body before sending it', 1)
const httpVersion = proxyAnnotation('proxy-http-version', oneOf(['1.0', '1.1']), 'HTTP version to the backend', 2)
const cookieDomain = proxyAnnotation(
  'proxy-cookie-domain',
  pairOf('A-Za-z0-9\\-._~/:'),
  'rewrites Domain of cookies: off, or from and to',
  2,
  'Medium',
)
const cookiePath = proxyAnnotation(
  'proxy-cookie-path',
  pairOf('A-Za-z0-9\\-._~/:,?&='),
  'rewrites Path of cookies: off, or from and to',
  2,
  'Medium',
)
const nextUpstream = proxyAnnotation(
  'proxy-next-upstream',
  textOf(new RegExp(`^(?:(?:${conditions}) ?)+$`), 'conditions of proxy_next_upstream'),
  'when another endpoint is tried',
  2,
  'Medium',
)
const nextUpstreamTimeout = proxyAnnotation('proxy-next-upstream-timeout', integer, 'seconds for all tries', 3)
const nextUpstreamTries = proxyAnnotation('proxy-next-upstream-tries', integer, 'number of tries', 2)
const redirectFrom = proxyAnnotation(
  'proxy-redirect-from',
  url,
  'redirects of the backend that are rewritten',
  2,
  'Medium',
)
const redirectTo = proxyAnnotation('proxy-redirect-to', url, 'what they are rewritten to', 2, 'Medium')

/** See the file header. */
export const proxy: Family<Proxy> = defineFamily({
  name: 'proxy',
  annotations: [
    connectTimeout,
    sendTimeout,
    readTimeout,
    bodySize,
    clientBodyBufferSize,
    buffering,
    buffersNumber,
    bufferSize,
    busyBuffersSize,
    maxTempFileSize,
    requestBuffering,
    httpVersion,
    cookieDomain,
    cookiePath,
    nextUpstream,
    nextUpstreamTimeout,
    nextUpstreamTries,
    redirectFrom,
    redirectTo,
  ],
  resolve: (read, context) => {
    const { settings } = context
    const value: Proxy = {
      connectTimeout: notNegative(read(connectTimeout), settings['proxy-connect-timeout']),
      sendTimeout: notNegative(read(sendTimeout), settings['proxy-send-timeout']),
      readTimeout: notNegative(read(readTimeout), settings['proxy-read-timeout']),
      bodySize: read(bodySize) ?? settings['proxy-body-size'],
      clientBodyBufferSize: read(clientBodyBufferSize) ?? settings['client-body-buffer-size'],
      buffering: read(buffering) ?? settings['proxy-buffering'],
      buffersNumber: read(buffersNumber) ?? settings['proxy-buffers-number'],
      bufferSize: read(bufferSize) ?? settings['proxy-buffer-size'],
      busyBuffersSize: read(busyBuffersSize) ?? settings['proxy-busy-buffers-size'],
      maxTempFileSize: read(maxTempFileSize) ?? settings['proxy-max-temp-file-size'],
      requestBuffering: read(requestBuffering) ?? settings['proxy-request-buffering'],
      httpVersion: read(httpVersion) ?? settings['proxy-http-version'],
      cookieDomain: read(cookieDomain) ?? settings['proxy-cookie-domain'],
      cookiePath: read(cookiePath) ?? settings['proxy-cookie-path'],
      nextUpstream: withNonIdempotent(
        read(nextUpstream) ?? settings['proxy-next-upstream'],
        settings['retry-non-idempotent'],
      ),
      nextUpstreamTimeout: notNegative(read(nextUpstreamTimeout), settings['proxy-next-upstream-timeout']),
      nextUpstreamTries: notNegative(read(nextUpstreamTries), settings['proxy-next-upstream-tries']),
      redirectFrom: read(redirectFrom) ?? settings['proxy-redirect-from'],
      redirectTo: read(redirectTo) ?? settings['proxy-redirect-to'],
    }
    refuseBuffers(value, context)
    return value
  },
  render: (value, { setHeader, location, options }) => [
    at('body', ...renderBody(value)),
    at('proxy', ...renderProxy(value), ...(setHeader === 'grpc_set_header' ? renderGrpcTimeouts(value) : [])),
    at(
      'after-pass',
      ...renderRedirect(value, featureOf(location.features, upstreaming), options.balancing === 'dynamic'),
    ),
  ],
})

/** Sizes that contradict each other stop every later change of the configuration (ngx_http_upstream.c, merge of buffers). */
function refuseBuffers(value: Proxy, context: ResolveContext): void {
  const own = [buffersNumber, bufferSize, busyBuffersSize, maxTempFileSize].find((one) => context.has(one))
  if (own === undefined) return
  const contradiction = contradictionOf(value)
  if (contradiction !== undefined) context.refuse(own, contradiction)
}

/** Which rule of nginx the sizes break. */
function contradictionOf({
  buffersNumber: number,
  bufferSize,
  busyBuffersSize,
  maxTempFileSize,
}: Proxy): string | undefined {
  const one = bytesOf(bufferSize)
  if (one === 0) return 'expected a proxy-buffer-size of at least one byte'
  const busy = busyBuffersSize === '' ? 2 * one : bytesOf(busyBuffersSize)
  if (busy < one) return `expected a proxy-busy-buffers-size of at least proxy-buffer-size, ${bufferSize}`
  if (busy > (number - 1) * one) {
    return `expected room for busy buffers (${busyBuffersSize || 'two of them'}) in ${number - 1} of ${bufferSize}`
  }
  const temporary = bytesOf(maxTempFileSize)
  return temporary > 0 && temporary < one
    ? `expected a proxy-max-temp-file-size of 0 or at least ${bufferSize}`
    : undefined
}

/** Directives about request bodies, also used by the locations of authentication questions. */
export function renderBody(value: Proxy): ConfigNode[] {
  return [
    directive('client_max_body_size', literal(value.bodySize)),
    directive('client_body_buffer_size', literal(value.clientBodyBufferSize)),
  ]
}

function renderProxy(value: Proxy): ConfigNode[] {
  return [
    directive('proxy_connect_timeout', `${value.connectTimeout}s`),
    directive('proxy_send_timeout', `${value.sendTimeout}s`),
    directive('proxy_read_timeout', `${value.readTimeout}s`),
    ...renderBuffers(value),
    directive('proxy_max_temp_file_size', literal(value.maxTempFileSize)),
    directive('proxy_request_buffering', value.requestBuffering),
    directive('proxy_http_version', value.httpVersion),
    directive('proxy_cookie_domain', ...value.cookieDomain.split(/ +/).map(literal)),
    directive('proxy_cookie_path', ...value.cookiePath.split(/ +/).map(literal)),
    directive('proxy_next_upstream', ...value.nextUpstream.split(' ').map(literal)),
    directive('proxy_next_upstream_timeout', value.nextUpstreamTimeout),
    directive('proxy_next_upstream_tries', value.nextUpstreamTries),
  ]
}

/** Directives about answer buffers, also used by the locations of authentication questions. */
export function renderBuffers(value: Proxy): ConfigNode[] {
  return [
    directive('proxy_buffering', value.buffering),
    directive('proxy_buffer_size', literal(value.bufferSize)),
    directive('proxy_buffers', value.buffersNumber, literal(value.bufferSize)),
    ...(value.busyBuffersSize === '' ? [] : [directive('proxy_busy_buffers_size', literal(value.busyBuffersSize))]),
  ]
}

function renderGrpcTimeouts(value: Proxy): ConfigNode[] {
  return [
    directive('grpc_connect_timeout', `${value.connectTimeout}s`),
    directive('grpc_send_timeout', `${value.sendTimeout}s`),
    directive('grpc_read_timeout', `${value.readTimeout}s`),
  ]
}

/** nginx computes `default` from a proxy_pass before it, which must not hold variables. */
function renderRedirect(
  { redirectFrom: from, redirectTo: to }: Proxy,
  { protocol }: Upstreaming,
  isConstant: boolean,
): ConfigNode[] {
  // COMPAT: without the second part nothing is written, and nginx has its default (nginx.tmpl, ProxyRedirectTo).
  const isDefault = from === 'default' || (from !== 'off' && to === 'off')
  if (isDefault && !isConstant) {
    return [directive('proxy_redirect', interpolated('$scheme://$proxy_upstream_name/'), '/')]
  }
  if (isDefault) return [directive('proxy_redirect', /^HTTPS?$/.test(protocol) ? 'default' : 'off')]
  if (from === 'off') return [directive('proxy_redirect', 'off')]
  return [directive('proxy_redirect', literal(from), interpolated(to))]
}

function notNegative(value: number | undefined, fallback: number): number {
  return value !== undefined && value >= 0 ? value : Math.max(fallback, 0)
}

function withNonIdempotent(list: string, always: boolean): string {
  const words = list.split(' ').filter((word) => word !== '' && word !== 'non_idempotent')
  const retries = always || list.split(' ').includes('non_idempotent')
  return [...words, ...(retries ? ['non_idempotent'] : [])].join(' ')
}
