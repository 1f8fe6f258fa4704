// Variables that every location uses, as maps: computed when first read, once per request, without Lua.
// Source: ingress-nginx 1.15 template (http part) and lua_ingress.lua (rewrite).

import { block, type ConfigNode, directive, literal, regex, type TextArgument, word } from '../config/node.ts'
import { literalDollar } from '../config/quote.ts'
import type { Model } from '../model/model.ts'
import { headerVariable } from './request-headers.ts'

/** The maps of `http`. */
export function renderVariables(model: Model): readonly ConfigNode[] {
  const { settings } = model
  const keepsAlive = settings['upstream-keepalive-connections'] > 0
  return [
    literalDollar,
    map('$http_upgrade', '$connection_upgrade', ['default', 'upgrade'], ['', keepsAlive ? '' : 'close']),
    map(
      '$http_x_request_id',
      '$req_id',
      ['default', '$http_x_request_id'],
      ...(settings['generate-request-id'] ? [['', '$request_id'] as const] : []),
    ),
    ...renderOrigin(model),
    // A path without the slash at its end, for redirects.
    block(
      'map',
      ['$request_uri', '$slashless_uri'],
      [directive('default', '$request_uri'), directive('~^(?<slashless>.*)/$', '$slashless')],
    ),
    ...renderHsts(model),
    ...renderFullForwardedFor(model),
    ...renderLoggable(model),
    ...renderBlocked('$http_user_agent', '$block_ua', settings['block-user-agents']),
    ...renderBlocked('$http_referer', '$block_ref', settings['block-referers']),
  ]
}

/** Scheme, host and port as the client used them. */
function renderOrigin({ settings, options }: Model): readonly ConfigNode[] {
  const trusts = settings['use-forwarded-headers']
  const proxied = settings['use-proxy-protocol']
  const port = proxied ? '$proxy_protocol_server_port' : '$server_port'
  const host = '$requested_host'
  return [
    map('$http_host', host, ['default', '$http_host'], ['', '$host']),
    ...renderScheme(trusts, proxied),
    trusts
      ? map('$http_x_forwarded_port', '$pass_server_port', ['default', '$http_x_forwarded_port'], ['', port])
      : map(port, '$pass_server_port', ['default', port]),
    map(
      '$pass_server_port',
      '$pass_port',
      ['default', '$pass_server_port'],
      [String(options.sslPassthrough ? options.passthroughProxyPort : options.httpsPort), '443'],
    ),
    trusts
      ? block(
          'map',
          ['$http_x_forwarded_host', '$best_http_host'],
          [directive('default', host), directive('~^(?<first_forwarded_host>[^,]+)', '$first_forwarded_host')],
        )
      : map(host, '$best_http_host', ['default', host]),
  ]
}

/** COMPAT: port 443 in a PROXY header means https, whatever X-Forwarded-Proto says (lua_ingress.lua, rewrite). */
function renderScheme(trusts: boolean, proxied: boolean): readonly ConfigNode[] {
  const name = '$pass_access_scheme'
  const header = '$http_x_forwarded_proto'
  const forwarded = (target: string): ConfigNode => map(header, target, ['default', header], ['', '$scheme'])
  if (!proxied) return [trusts ? forwarded(name) : map('$scheme', name, ['default', '$scheme'])]
  const told = trusts ? '$forwarded_scheme' : '$scheme'
  const byPort = map('$proxy_protocol_server_port', name, ['default', told], ['443', 'https'])
  return trusts ? [forwarded(told), byPort] : [byPort]
}

/** Over https our value replaces that of the backend; over http that of the backend stays. Locations send it. */
function renderHsts({ settings }: Model): readonly ConfigNode[] {
  if (!settings.hsts) return []
  const subdomains = settings['hsts-include-subdomains'] ? '; includeSubDomains' : ''
  const value = `max-age=${settings['hsts-max-age']}${subdomains}${settings['hsts-preload'] ? '; preload' : ''}`
  return [
    block(
      'map',
      ['$scheme', '$hsts'],
      [directive('default', '$upstream_http_strict_transport_security'), directive('https', literal(value))],
    ),
  ]
}

function renderFullForwardedFor({ settings }: Model): readonly ConfigNode[] {
  if (!settings['use-forwarded-headers'] || !settings['compute-full-forwarded-for']) return []
  // $proxy_add_x_forwarded_for would hold the address after the real-IP module has replaced it.
  const last = settings['use-proxy-protocol'] ? '$proxy_protocol_addr' : '$realip_remote_addr'
  const header = headerVariable('X-Forwarded-For')
  return [map(header, '$full_x_forwarded_for', ['default', `${header}, ${last}`], ['', last])]
}

function renderLoggable({ settings }: Model): readonly ConfigNode[] {
  const skipped = withoutTwins(settings['skip-access-log-urls']).map((url) => directive(mapKey(url), '0'))
  return [block('map', ['$request_uri', '$loggable'], [directive('default', '1'), ...skipped])]
}

function renderBlocked(source: string, name: string, patterns: readonly string[]): readonly ConfigNode[] {
  if (patterns.length === 0) return []
  return [
    block(
      'map',
      [source, name],
      [directive('default', '0'), ...withoutTwins(patterns).map((key) => directive(mapKey(key), '1'))],
    ),
  ]
}

/** nginx compares keys without case and refuses one that stands there twice. */
function withoutTwins(keys: readonly string[]): readonly string[] {
  return [...new Map(keys.map((key) => [key.startsWith('~') ? key : key.toLowerCase(), key] as const)).values()]
}

/** nginx reads a few words specially where it expects a key; a backslash takes that away. */
function mapKey(text: string): string {
  return /^(?:default|hostnames|include|volatile)$/.test(text) ? `\\${text}` : text
}

function map(source: string, name: string, ...entries: readonly (readonly [string, string])[]): ConfigNode {
  return block(
    'map',
    [source, name],
    entries.map(([key, value]) => directive(key, value.includes(',') ? literalOrVariables(value) : argumentOf(value))),
  )
}

function argumentOf(value: string): TextArgument {
  return value === '' ? literal('') : word(value)
}

function literalOrVariables(value: string): TextArgument {
  return { kind: 'interpolated', text: value }
}

/** Pattern of a host that begins with `*.`: one label, captured. */
export function wildcardPattern(host: string): TextArgument {
  return regex(`~^(?<subdomain>[\\w-]+)\\.${host.slice(2).replaceAll('.', '\\.')}$`)
}
