// Who makes the answer once a location is chosen, what the backend gets, which headers are added.
// Source: nginx ngx_http_proxy_module (URI and headers), headers and headers-more modules.

import { inForce, type SourceNode } from './source-tree.ts'
import type { RequestOutcome } from './trace.ts'
import { expand, type RequestState } from './variables.ts'

/** The content of a request for these levels (http, server, location …, innermost last). */
export function contentOf(
  levels: readonly (readonly SourceNode[])[],
  locationText: string | undefined,
  state: RequestState,
): { readonly node: SourceNode | undefined; readonly outcome: RequestOutcome } {
  // Handlers are not inherited by nested locations, but an `if` block takes its location's.
  const handlers = levels.slice(2)
  const pass =
    inForce(handlers, 'proxy_pass')[0] ?? inForce(handlers, 'grpc_pass')[0] ?? inForce(handlers, 'fastcgi_pass')[0]
  if (pass !== undefined) return { node: pass, outcome: proxied(pass, levels, locationText, state) }
  for (const name of ['content_by_lua_block', 'stub_status', 'try_files', 'alias', 'root']) {
    const node = inForce(name === 'root' ? levels : handlers, name)[0]
    if (node === undefined) continue
    const otherwise = name === 'try_files' ? node.args.at(-1) : undefined
    return { node, outcome: { kind: 'other', by: name, ...(otherwise === undefined ? {} : { otherwise }) } }
  }
  return { node: undefined, outcome: { kind: 'other', by: 'static files' } }
}

/** Response headers that the configuration adds for this status. */
export function addedHeaders(
  levels: readonly (readonly SourceNode[])[],
  status: number | undefined,
  state: RequestState,
): { readonly [name: string]: string } {
  const headers: { [name: string]: string } = {}
  for (const node of inForce(levels, 'add_header')) {
    const [name = '', value = '', always] = node.args
    if (always !== 'always' && status !== undefined && !plainStatuses.has(status)) continue
    const text = expand(value, state)
    if (text !== '') headers[name.toLowerCase()] = text
  }
  // headers-more runs every level, outermost first.
  for (const level of levels) {
    for (const node of level.filter((child) => child.name === 'more_set_headers')) setMore(node, headers, state)
  }
  return headers
}

// Without `always`, add_header is limited to these.
const plainStatuses: ReadonlySet<number> = new Set([200, 201, 204, 206, 301, 302, 303, 304, 307, 308])

function setMore(node: SourceNode, headers: { [name: string]: string }, state: RequestState): void {
  for (const arg of node.args) {
    const colon = arg.indexOf(':')
    const name = arg.slice(0, colon).trim().toLowerCase()
    const value = expand(arg.slice(colon + 1), state).trim()
    if (colon > 0 && value !== '') headers[name] = value
    else if (colon > 0) delete headers[name]
  }
}

function proxied(
  pass: SourceNode,
  levels: readonly (readonly SourceNode[])[],
  locationText: string | undefined,
  state: RequestState,
): RequestOutcome {
  const written = pass.args[0] ?? ''
  const target = expand(written, state)
  const url = /^(?:[a-z]+:\/\/)?([^/]*)(\/.*)?$/s.exec(target)
  const name = state.values.get('proxy_upstream_name')
  const setHeader = pass.name === 'grpc_pass' ? 'grpc_set_header' : 'proxy_set_header'
  const headers: { [name: string]: string } = {}
  for (const node of inForce(levels, setHeader)) {
    headers[(node.args[0] ?? '').toLowerCase()] = expand(node.args[1] ?? '', state)
  }
  return {
    kind: 'proxy',
    by: pass.name,
    target,
    upstream: name !== undefined && name !== '' ? name : (url?.[1] ?? target),
    method: expand(inForce(levels, 'proxy_method')[0]?.args[0] ?? state.request.method, state),
    path: backendPath(url?.[2], written, locationText, state),
    headers,
  }
}

// With a URI in proxy_pass the part that the location matched is replaced; with variables the URI goes as it is.
function backendPath(
  uri: string | undefined,
  written: string,
  locationText: string | undefined,
  state: RequestState,
): string {
  const query = state.args === '' ? '' : `?${state.args}`
  if (uri === undefined) return state.wasRewritten ? `${escapePath(state.uri)}${query}` : state.request.target
  if (written.includes('$')) return uri
  const rest =
    locationText !== undefined && state.uri.startsWith(locationText) ? state.uri.slice(locationText.length) : ''
  return `${uri}${escapePath(rest)}${query}`
}

/** Escapes what may not stand in a URI as nginx does when it builds one anew (NGX_ESCAPE_URI). */
export function escapePath(path: string): string {
  return path.replaceAll(/[\0-\x20#%?\x7f]|[^\0-\x7f]+/g, (text) => encodeURIComponent(text))
}
