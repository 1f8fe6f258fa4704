// Annotations of older releases that nothing reads any more; admission and translation warn about them.

/** Names without prefix. */
export const retiredAnnotations: readonly string[] = [
  'enable-influxdb',
  'influxdb-measurement',
  'influxdb-port',
  'influxdb-host',
  'influxdb-server-name',
  'secure-verify-ca-secret',
  'global-rate-limit',
  'global-rate-limit-window',
  'global-rate-limit-key',
  'global-rate-limit-ignored-cidrs',
  'enable-opentracing',
  'opentracing-trust-incoming-span',
  'jaeger-collector-host',
  'add-base-url',
  'base-url-scheme',
  'session-cookie-hash',
  'secure-backends',
  'grpc-backend',
  'lua-resty-waf',
]
