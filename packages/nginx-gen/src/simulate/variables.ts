// Variables of a simulated request: nginx's own, `set`, captures, `map` and `geo`; and the expansion of a text.
// Source: nginx ngx_http_variables.c, ngx_http_map_module, ngx_http_geo_module.

import { contains, parseIp } from '@kubewire/kube-model'
import { addressRange } from './address.ts'
import { capturesOf, compilePattern } from './pattern.ts'
import { type FullRequest, hostName } from './request.ts'
import { childrenNamed, type SourceNode } from './source-tree.ts'

/** The changing state of one request. */
export interface RequestState {
  readonly request: FullRequest
  readonly http: readonly SourceNode[]
  serverName: string
  uri: string
  /** Whether a rewrite made the URI, be it what it was: the backend then gets it as normalised. */
  wasRewritten: boolean
  args: string
  /** Captures of the last pattern that matched. */
  captures: ReadonlyMap<string, string>
  /** Values of `set` and of named captures. */
  readonly values: Map<string, string>
  /** Names that were asked for and that the simulation does not know; they count as empty. */
  readonly unknown: Set<string>
}

/** A text with its variables filled in. */
export function expand(text: string, state: RequestState): string {
  if (!text.includes('$')) return text
  return text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) =>
    variable(braced ?? bare ?? '', state),
  )
}

/** The value of one variable; unknown ones are empty and noted in the state. */
export function variable(name: string, state: RequestState): string {
  if (/^\d+$/.test(name)) return state.captures.get(name) ?? ''
  const known = state.values.get(name) ?? mapped(name, state) ?? builtIn(name, state)
  if (known !== undefined) return known
  state.unknown.add(name)
  return ''
}

function builtIn(name: string, state: RequestState): string | undefined {
  const { request } = state
  const simple = simpleVariables[name]
  if (simple !== undefined) return simple(state)
  if (name.startsWith('http_')) return request.headers.get(name.slice(5).replaceAll('_', '-')) ?? ''
  if (name.startsWith('arg_')) return argument(name.slice(4), state.args)
  if (name.startsWith('cookie_')) return cookie(name.slice(7), request.headers.get('cookie') ?? '')
  return undefined
}

const simpleVariables: { readonly [name: string]: (state: RequestState) => string } = {
  args: (s) => s.args,
  binary_remote_addr: (s) => s.request.clientAddress,
  content_length: (s) => s.request.headers.get('content-length') ?? '',
  content_type: (s) => s.request.headers.get('content-type') ?? '',
  document_uri: (s) => s.uri,
  host: (s) => hostName(s.request.host) || s.serverName,
  hostname: () => 'nginx',
  https: (s) => (s.request.scheme === 'https' ? 'on' : ''),
  is_args: (s) => (s.args === '' ? '' : '?'),
  proxy_host: () => '',
  proxy_add_x_forwarded_for: (s) =>
    [s.request.headers.get('x-forwarded-for'), s.request.clientAddress].filter(Boolean).join(', '),
  proxy_protocol_addr: () => '',
  proxy_protocol_port: () => '',
  proxy_protocol_server_addr: () => '',
  proxy_protocol_server_port: () => '',
  query_string: (s) => s.args,
  realip_remote_addr: (s) => s.request.clientAddress,
  remote_addr: (s) => s.request.clientAddress,
  remote_port: () => '40000',
  remote_user: () => '',
  request: (s) => `${s.request.method} ${s.request.target} HTTP/1.1`,
  request_method: (s) => s.request.method,
  request_uri: (s) => s.request.target,
  scheme: (s) => s.request.scheme,
  server_name: (s) => s.serverName,
  server_port: (s) => String(s.request.port),
  server_protocol: () => 'HTTP/1.1',
  ssl_client_verify: () => 'NONE',
  ssl_client_s_dn: () => '',
  ssl_client_i_dn: () => '',
  ssl_client_escaped_cert: () => '',
  ssl_server_name: (s) => (s.request.scheme === 'https' ? hostName(s.request.host) : ''),
  uri: (s) => s.uri,
}

function argument(name: string, args: string): string {
  for (const pair of args.split('&')) {
    const [key = '', ...value] = pair.split('=')
    if (key.toLowerCase() === name.toLowerCase()) return value.join('=')
  }
  return ''
}

function cookie(name: string, header: string): string {
  for (const pair of header.split(/[;,]\s*/)) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim().toLowerCase() === name.toLowerCase()) return value.join('=')
  }
  return ''
}

function mapped(name: string, state: RequestState): string | undefined {
  for (const map of childrenNamed(state.http, 'map')) {
    if (map.args[1] === `$${name}`) return mapValue(map, state)
  }
  for (const geo of childrenNamed(state.http, 'geo')) {
    if (geo.args.at(-1) === `$${name}`) return geoValue(geo, state)
  }
  return undefined
}

// Exact keys (letter case ignored), then host masks with `hostnames`, then expressions in order, then the default.
function mapValue(map: SourceNode, state: RequestState): string {
  const key = expand(map.args[0] ?? '', state)
  const low = key.toLowerCase()
  const entries = map.children.filter((entry) => !mapSwitches.has(entry.name))
  const exact = entries.find((entry) => !entry.name.startsWith('~') && plainKey(entry.name).toLowerCase() === low)
  if (exact !== undefined && exact.name !== 'default') return expand(exact.args[0] ?? '', state)
  if (map.children.some((entry) => entry.name === 'hostnames')) {
    const masks = entries.filter((entry) => /^\*?\./.test(entry.name) && low.endsWith(entry.name.replace(/^\*/, '')))
    const best = masks.sort((a, b) => b.name.length - a.name.length)[0]
    if (best !== undefined) return expand(best.args[0] ?? '', state)
  }
  for (const entry of entries) {
    if (!entry.name.startsWith('~')) continue
    const ignoresCase = entry.name.startsWith('~*')
    const match = compilePattern(entry.name.slice(ignoresCase ? 2 : 1), ignoresCase)?.exec(key)
    if (!match) continue
    const captures = capturesOf(match)
    for (const [group, text] of captures) if (!/^\d/.test(group)) state.values.set(group, text)
    const outer = state.captures
    state.captures = captures
    const value = expand(entry.args[0] ?? '', state)
    state.captures = outer
    return value
  }
  const fallback = entries.find((entry) => entry.name === 'default')
  return fallback === undefined ? '' : expand(fallback.args[0] ?? '', state)
}

const mapSwitches: ReadonlySet<string> = new Set(['hostnames', 'include', 'volatile'])

// A backslash before a key keeps it from being a switch or an expression.
function plainKey(name: string): string {
  return name.startsWith('\\') ? name.slice(1) : name
}

function geoValue(geo: SourceNode, state: RequestState): string {
  const source = geo.args.length > 1 ? expand(geo.args[0] ?? '', state) : state.request.clientAddress
  const address = parseIp(source)
  let best: { readonly size: bigint; readonly value: string } | undefined
  for (const entry of geo.children) {
    const range = addressRange(entry.name)
    if (address === undefined || range === undefined || !contains(range, address)) continue
    const size = range.last - range.first
    if (best === undefined || size < best.size) best = { size, value: entry.args[0] ?? '' }
  }
  return best?.value ?? geo.children.find((entry) => entry.name === 'default')?.args[0] ?? ''
}
