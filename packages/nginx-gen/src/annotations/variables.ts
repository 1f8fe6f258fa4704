// Which nginx variables a user's text may use. One that nginx does not know stops every later change of the
// configuration, so it refuses the Ingress instead.

import { geoip2Variables } from '../settings/geoip2.ts'
import type { Annotation, ResolveContext } from './define.ts'

const exact: ReadonlySet<string> = new Set([
  ...['args', 'query_string', 'uri', 'document_uri', 'request_uri', 'request', 'request_method', 'request_id'],
  ...['request_length', 'request_time', 'host', 'hostname', 'http_host', 'scheme', 'https', 'is_args', 'server_name'],
  ...[
    'server_addr',
    'server_port',
    'server_protocol',
    'remote_addr',
    'remote_port',
    'remote_user',
    'binary_remote_addr',
  ],
  ...['content_type', 'content_length', 'connection', 'connection_requests', 'msec', 'time_iso8601', 'time_local'],
  ...['proxy_protocol_addr', 'proxy_protocol_port', 'proxy_protocol_server_addr', 'proxy_protocol_server_port'],
  ...['realip_remote_addr', 'realip_remote_port', 'ssl_protocol', 'ssl_cipher', 'ssl_server_name', 'ssl_session_id'],
  ...['ssl_client_verify', 'ssl_client_s_dn', 'ssl_client_i_dn', 'ssl_client_serial', 'ssl_client_fingerprint'],
  ...['ssl_client_escaped_cert', 'ssl_client_v_start', 'ssl_client_v_end', 'pid', 'status', 'nginx_version'],
  ...['upstream_addr', 'upstream_status', 'upstream_response_time', 'proxy_add_x_forwarded_for', 'proxy_host'],
  ...['namespace', 'ingress_name', 'service_name', 'service_port', 'location_path', 'proxy_upstream_name'],
  ...['proxy_alternative_upstream_name', 'req_id', 'best_http_host', 'pass_access_scheme', 'pass_port'],
  ...['pass_server_port', 'connection_upgrade', 'escaped_request_uri', 'request_body', 'http2'],
  ...['bytes_sent', 'body_bytes_sent', 'request_completion', 'request_filename', 'connection_time', 'limit_rate'],
  ...['upstream_connect_time', 'upstream_header_time', 'upstream_response_length', 'upstream_bytes_received'],
  ...['upstream_bytes_sent', 'upstream_cache_status', 'proxy_port', 'gzip_ratio', 'ssl_curves', 'ssl_ciphers'],
  ...['ssl_early_data', 'ssl_session_reused', 'ssl_client_cert', 'ssl_client_v_remain', 'ssl_client_s_dn_legacy'],
  ...['fastcgi_script_name', 'fastcgi_path_info', 'document_root', 'realpath_root'],
])

// Their letters may be of either case: nginx compares cookies and arguments without it.
const families =
  /^(?:arg|http|cookie|upstream_http|upstream_trailer|upstream_cookie|sent_http|sent_trailer)_[A-Za-z0-9_]+$/

/**
 * The first `$…` in `text` that nginx would not know; `undefined` when all are good. `$1` to `$9` need `captures`;
 * `more` are those of modules that are not always there.
 */
export function unknownVariable(text: string, captures = false, more?: ReadonlySet<string>): string | undefined {
  for (const [found, braced, plain] of text.matchAll(/\$(?:\{(\w*)\}|(\w*))/g)) {
    const name = braced ?? plain ?? ''
    const isCapture = captures && /^[1-9]/.test(name) && (braced === undefined || /^[1-9]$/.test(name))
    if (!isCapture && !exact.has(name) && !families.test(name) && !more?.has(name)) return found
  }
  return undefined
}

/** The text, or `undefined` after refusing the Ingress because of a variable in it. */
export function withKnownVariables(
  annotation: Annotation<string>,
  text: string | undefined,
  context: ResolveContext,
  captures = false,
): string | undefined {
  if (text === undefined) return undefined
  const unknown = unknownVariable(text, captures, geoip2Variables(context.settings, context.options))
  if (unknown === undefined) return text
  context.refuse(annotation, `expected nginx variables, got ${JSON.stringify(unknown)}`)
  return undefined
}
