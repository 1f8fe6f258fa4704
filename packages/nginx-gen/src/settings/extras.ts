// Keys of TCP and UDP services, administrator snippets, the status page, and modules that may not be there.

import { cidrList, flag, integer, integerFrom, nginxTime, textOf } from '../annotations/values.ts'
import type { SettingTable } from './define.ts'
import { anyLines, anyText, needs, plain } from './values.ts'

export interface ExtraSettings {
  readonly 'proxy-stream-timeout': string
  readonly 'proxy-stream-next-upstream': boolean
  readonly 'proxy-stream-next-upstream-timeout': string
  readonly 'proxy-stream-next-upstream-tries': number
  readonly 'proxy-stream-responses': number
  readonly 'main-snippet': string
  readonly 'http-snippet': string
  readonly 'server-snippet': string
  readonly 'location-snippet': string
  readonly 'stream-snippet': string
  readonly 'nginx-status-ipv4-whitelist': readonly string[]
  readonly 'nginx-status-ipv6-whitelist': readonly string[]
  readonly 'enable-modsecurity': boolean
  readonly 'enable-owasp-modsecurity-crs': boolean
  readonly 'modsecurity-snippet': string
  readonly 'use-geoip2': boolean
  readonly 'geoip2-autoreload-in-minutes': number
  readonly 'enable-opentelemetry': boolean
  readonly 'opentelemetry-config': string
  readonly 'opentelemetry-operation-name': string
  readonly 'opentelemetry-trust-incoming-span': boolean
  readonly 'otlp-collector-host': string
  readonly 'otlp-collector-port': string
  readonly 'otel-service-name': string
  readonly 'otel-sampler': string
  readonly 'otel-sampler-ratio': string
  readonly 'otel-sampler-parent-based': boolean
  readonly 'otel-max-queuesize': number
  readonly 'otel-schedule-delay-millis': number
  readonly 'otel-max-export-batch-size': number
}

const decimal = textOf(/^[0-9]*\.?[0-9]+$/, 'a number')

/** The keys of this area. */
export const extraSettings: SettingTable<ExtraSettings> = {
  'proxy-stream-timeout': plain(nginxTime, '600s', 'how long a TCP or UDP session may idle'),
  'proxy-stream-next-upstream': plain(flag, true, 'tries another endpoint when a connection fails'),
  'proxy-stream-next-upstream-timeout': plain(nginxTime, '600s', 'time for all tries'),
  'proxy-stream-next-upstream-tries': plain(integerFrom(0), 3, 'number of tries'),
  'proxy-stream-responses': plain(integerFrom(0), 1, 'UDP answers per datagram'),
  'main-snippet': plain(anyLines, '', 'raw configuration at the top of the file'),
  'http-snippet': plain(anyLines, '', 'raw configuration in http'),
  'server-snippet': plain(anyLines, '', 'raw configuration in every server'),
  'location-snippet': plain(anyLines, '', 'raw configuration in every location'),
  'stream-snippet': plain(anyLines, '', 'raw configuration in stream'),
  'nginx-status-ipv4-whitelist': plain(cidrList, ['127.0.0.1'], 'clients of the status page'),
  'nginx-status-ipv6-whitelist': plain(cidrList, ['::1'], 'clients of the status page'),
  'enable-modsecurity': needs('modsecurity', flag, false, 'inspects requests; needs libnginx-mod-http-modsecurity'),
  'enable-owasp-modsecurity-crs': needs('modsecurity', flag, false, 'adds the core rules; needs modsecurity-crs'),
  'modsecurity-snippet': needs('modsecurity', anyLines, '', 'rules instead of those that are installed'),
  'use-geoip2': needs('geoip2', flag, false, 'looks clients up; needs libnginx-mod-http-geoip2 and databases'),
  'geoip2-autoreload-in-minutes': needs(
    'geoip2',
    integer,
    0,
    'minutes after which changed databases are read again, 0 never',
  ),
  'enable-opentelemetry': needs('opentelemetry', flag, false, 'not available: Debian has no such module'),
  'opentelemetry-config': needs(
    'opentelemetry',
    anyText,
    '/etc/ingress-controller/telemetry/opentelemetry.toml',
    'not available',
  ),
  'opentelemetry-operation-name': needs('opentelemetry', anyText, '', 'not available'),
  'opentelemetry-trust-incoming-span': plain(flag, true, 'not available'),
  'otlp-collector-host': needs('opentelemetry', anyText, '', 'not available'),
  'otlp-collector-port': needs('opentelemetry', anyText, '4317', 'not available'),
  'otel-service-name': needs('opentelemetry', anyText, 'nginx', 'not available'),
  'otel-sampler': needs('opentelemetry', anyText, 'AlwaysOn', 'not available'),
  'otel-sampler-ratio': needs('opentelemetry', decimal, '0.01', 'not available'),
  'otel-sampler-parent-based': plain(flag, true, 'not available'),
  'otel-max-queuesize': needs('opentelemetry', integer, 2048, 'not available'),
  'otel-schedule-delay-millis': needs('opentelemetry', integer, 5000, 'not available'),
  'otel-max-export-batch-size': needs('opentelemetry', integer, 512, 'not available'),
}
