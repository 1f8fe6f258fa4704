// The request that a simulation is asked about, and nginx's normalisation of its target.
// Source: nginx ngx_http_parse_complex_uri, ngx_http_core_module merge_slashes.

/** One request as a client would send it. */
export interface SimulatedRequest {
  /** `http` unless given. */
  readonly scheme?: 'http' | 'https'
  /** The Host header, with port if the client would send one; also the SNI of a TLS handshake. */
  readonly host: string
  /** Request target as sent: path and query. `/` unless given. */
  readonly path?: string
  /** `GET` unless given. */
  readonly method?: string
  /** Names in any case. */
  readonly headers?: { readonly [name: string]: string }
  /** 127.0.0.1 unless given. */
  readonly clientAddress?: string
  /** Port of the listener; 80 or 443 by the scheme unless given. */
  readonly port?: number
}

/** A request with everything filled in. */
export interface FullRequest {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly target: string
  readonly method: string
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly clientAddress: string
  readonly port: number
}

/** Fills in the defaults. */
export function fullRequest(request: SimulatedRequest): FullRequest {
  const scheme = request.scheme ?? 'http'
  const headers = new Map<string, string>([['host', request.host]])
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name.toLowerCase(), value)
  return {
    scheme,
    host: request.host,
    target: request.path ?? '/',
    method: request.method ?? 'GET',
    headers,
    clientAddress: request.clientAddress ?? '127.0.0.1',
    port: request.port ?? (scheme === 'https' ? 443 : 80),
  }
}

/** The URI nginx matches locations with, and the query. `undefined`: nginx answers 400. */
export function normalizeTarget(
  target: string,
  mergesSlashes = true,
): { readonly uri: string; readonly args: string } | undefined {
  const [beforeFragment = ''] = target.split('#')
  const mark = beforeFragment.indexOf('?')
  const path = mark === -1 ? beforeFragment : beforeFragment.slice(0, mark)
  const decoded = decodePath(path)
  if (decoded === undefined || !decoded.startsWith('/')) return undefined
  const parts: string[] = []
  const segments = (mergesSlashes ? decoded.replaceAll(/\/{2,}/g, '/') : decoded).slice(1).split('/')
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '.') {
      if (isLast) parts.push('')
    } else if (segment === '..') {
      if (parts.length === 0) return undefined
      parts.pop()
      if (isLast) parts.push('')
    } else parts.push(segment)
  }
  return { uri: `/${parts.join('/')}`, args: mark === -1 ? '' : beforeFragment.slice(mark + 1) }
}

/** The host nginx compares with server names: lower case, no port, no closing dot. */
export function hostName(host: string): string {
  const bare = /^\[[^\]]*\]/.exec(host)?.[0] ?? host.split(':')[0] ?? ''
  return bare.toLowerCase().replace(/\.$/, '')
}

// Percent decoding as bytes read as UTF-8; a broken escape is a bad request.
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path
  if (/%(?![0-9a-f]{2})/i.test(path) || /%00/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}
