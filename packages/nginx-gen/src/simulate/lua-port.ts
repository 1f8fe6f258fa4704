// The seam for Lua in a simulation, and the pure twin of our own rewrite step (lua/kubewire/redirect.lua, canary.lua).
// nginx's rules do not say what Lua does; whoever wrote the code must.

import { matchRoute, type RouteLookup } from '../routes/match.ts'
import { hostName } from './request.ts'
import { type RequestState, variable } from './variables.ts'

/** What a Lua block did: an answer, a named location to go on with, or only a note. `undefined`: nothing worth telling. */
export type LuaEffect =
  | { readonly kind: 'answer'; readonly what: string; readonly status: number; readonly location?: string }
  | { readonly kind: 'enter'; readonly what: string; readonly location: string }
  | { readonly kind: 'note'; readonly what: string }

/** Called with the code of the block and the state of the request, whose variables it may set. */
export type LuaPort = (code: string, state: RequestState) => LuaEffect | undefined

/** What the running nginx would hold in its dictionaries. */
export interface DataPlaneFacts {
  /** Whether a certificate is registered for this host or mask. */
  readonly hasCertificate: (host: string) => boolean
  /** Number of endpoints of a backend; `undefined` for an unknown one. */
  readonly endpointCount: (backend: string) => number | undefined
  /** The table of routes, where hosts are data. */
  readonly routes?: RouteLookup
}

/** The twin of our rewrite steps: the router; the redirect to https, and 503 for a backend without endpoints. */
export function kubewireLua(facts: DataPlaneFacts): LuaPort {
  return (code, state) => {
    if (code.trim() === 'kubewire.route()') return enterRoute(facts.routes ?? (() => undefined), state)
    if (code.trim() !== 'kubewire.rewrite()') return undefined
    const redirect = httpsRedirect(facts, state)
    if (redirect !== undefined) return redirect
    const backend = variable('proxy_upstream_name', state)
    if (backend === '' || (facts.endpointCount(backend) ?? 0) > 0) return undefined
    return { kind: 'answer', status: 503, what: `backend ${backend} has no endpoints` }
  }
}

function enterRoute(lookup: RouteLookup, state: RequestState): LuaEffect {
  const match = matchRoute(lookup, {
    host: variable('host', state),
    uri: state.uri,
    args: state.args,
    bodyBytes: Number(variable('content_length', state)),
    variable: (name) => variable(name, state),
  })
  if (match.kind === 'none') return { kind: 'answer', status: 404, what: 'the table has no route for it' }
  if (match.kind === 'redirect') return { ...match, kind: 'answer', what: 'the host redirects' }
  for (const [name, value] of Object.entries(match.set)) state.values.set(name, value)
  return { kind: 'enter', location: match.class, what: `the route of ${match.set['route_host']} enters ${match.class}` }
}

function httpsRedirect(facts: DataPlaneFacts, state: RequestState): LuaEffect | undefined {
  const wish = variable('ssl_redirect', state)
  if (wish === '' || wish === 'off' || variable('pass_access_scheme', state) !== 'http') return undefined
  const host = hostName(state.request.host)
  const mask = host.replace(/^[^.]+/, '*')
  if (wish === 'tls' && !facts.hasCertificate(host) && !facts.hasCertificate(mask)) return undefined
  const named = variable('best_http_host', state) || state.request.host
  const target = state.request.target
  const uri = variable('redirect_slash', state) !== 'keep' && target.endsWith('/') ? target.slice(0, -1) : target
  const port = variable('redirect_port', state)
  const bare = /^\[[^\]]*\]|^[^:]*/.exec(named)?.[0] ?? named
  return {
    kind: 'answer',
    status: Number(variable('redirect_code', state) || 308),
    location: `https://${bare}${port === '' ? '' : `:${port}`}${uri}`,
    what: wish === 'tls' ? 'the host has a certificate: redirect to https' : 'redirect to https is forced',
  }
}
