// One location: its route (variables of its own) and its settings (what its features decided). The settings part names
// neither host nor path nor backend, so that equal settings are equal text.

import { speaksGrpc, upstreaming } from '../annotations/backend-protocol.ts'
import { substitutePrefix } from '../annotations/default-backend.ts'
import {
  type Family,
  featureOf,
  type HostRedirect,
  type Placed,
  type RenderContext,
  type Slot,
  slots,
} from '../annotations/define.ts'
import { families } from '../annotations/registry.ts'
import { rewrite } from '../annotations/rewrite.ts'
import { redirectMode, sslRedirect } from '../annotations/ssl-redirect.ts'
import {
  type Argument,
  block,
  type ConfigNode,
  directive,
  interpolated,
  list,
  literal,
  raw,
  regex,
} from '../config/node.ts'
import { luaRewrite } from '../lua/directives.ts'
import { defaultBackendName } from '../model/backend.ts'
import type { FeatureValues, Location } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import { withoutInherited } from './inherit.ts'
import type { RenderedSettings, RenderModel, SettingsKey } from './render-model.ts'
import { type RequestHeader, renderHeaders, withHeaders } from './request-headers.ts'
import { type RouteVariable, withRoute } from './route-directives.ts'
import { renderStaticRewrite, upstreamArgument } from './static-balancing.ts'

/** A location with what it needs around it. */
export interface RenderedLocation {
  readonly location: ConfigNode
  readonly server: readonly ConfigNode[]
  readonly http: readonly ConfigNode[]
}

/** Renders one location of a server. */
export function renderLocation(location: Location, server: Server, render: RenderModel): RenderedLocation {
  const settings = locationSettings(location, server, render)
  return {
    location: locationBlock(location, withRouteOf(location, settings.body, render)),
    server:
      settings.redirects.length === 0
        ? settings.server
        : [...settings.server, ...settings.redirects.map(renderHostRedirect)],
    http: settings.http,
  }
}

/** The settings of a location without its route. Equal ones are rendered once: thousands of locations share a handful. */
export function locationSettings(location: Location, server: Server, render: RenderModel): RenderedSettings {
  if (location.denied !== undefined) return deniedSettings(location, server, render)
  let known = render.rendered.get(location.features)
  if (known === undefined) {
    known = new Map()
    render.rendered.set(location.features, known)
  }
  const key = dependencies(location, server, render)
  let found = known.get(key)
  if (found === undefined) {
    found = renderSettingsPart(location, server, render)
    known.set(key, found)
  }
  return found
}

/** COMPAT: logs and the redirects of the host are those of a location that is not denied (nginx.tmpl, Logs, Rewrite.AppRoot). */
function deniedSettings(location: Location, server: Server, render: RenderModel): RenderedSettings {
  const placed = placedBy(
    location.features,
    renderContext(location, server, render),
    render.model.options.extraFamilies,
  )
  const redirects = placed.filter((one) => one.kind === 'host-redirect')
  const logs = placed.flatMap((one) => (one.kind === 'location' && one.slot === 'logs' ? one.nodes : []))
  return { body: [...logs, ...renderHsts(render), directive('return', 503)], server: [], redirects, http: [] }
}

function renderSettingsPart(location: Location, server: Server, render: RenderModel): RenderedSettings {
  const context = renderContext(location, server, render)
  const placed = placedBy(location.features, context, render.model.options.extraFamilies)
  return {
    body: withoutInherited([...renderHsts(render), ...renderSettings(placed, context, render)], render.inherited),
    server: placed.flatMap((one) => (one.kind === 'server' ? one.nodes : [])),
    redirects: placed.filter((one) => one.kind === 'host-redirect'),
    http: placed.flatMap((one) => (one.kind === 'http' ? one.nodes : [])),
  }
}

/**
 * What families read of a location and its server besides their values: a number for what most have, a text for more.
 * There are several locations for each of thousands of hosts.
 */
function dependencies({ route, features }: Location, server: Server, { model }: RenderModel): SettingsKey {
  const { settings, options } = model
  const isNotSecured = startsWithOne(route.path, settings['no-tls-redirect-locations'])
  const isOpen = startsWithOne(route.path, settings['no-auth-locations'])
  const isSubstitute = route.backend.startsWith(substitutePrefix)
  const backend = route.backend === defaultBackendName ? 1 : isSubstitute ? 2 : 0
  const flags = (isNotSecured ? 1 : 0) + (isOpen ? 2 : 0) + (route.ingress === undefined ? 4 : 0) + 8 * backend
  const hasTarget = featureOf(features, rewrite).target !== undefined
  const isAny = options.balancing === 'static' || options.extraFamilies.length > 0
  if (!hasTarget && server.clientAuth === undefined && !isAny) return flags
  const rewritten = hasTarget ? `${route.match} ${route.path} ${route.rulePath}` : ''
  const auth = server.clientAuth === undefined ? '' : JSON.stringify(server.clientAuth)
  const whole = isAny ? `${server.host} ${route.match} ${route.path} ${route.backend}` : ''
  return `${flags}|${rewritten}|${auth}|${whole}`
}

function startsWithOne(path: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (path.startsWith(prefix)) return true
  return false
}

function renderHostRedirect({ path, status, target }: HostRedirect): ConfigNode {
  return block('if', ['$uri', '=', literal(path)], [directive('return', status, target)])
}

function locationBlock(location: Location, children: readonly ConfigNode[]): ConfigNode {
  const { ingress } = location.route
  const args = locationArguments(location)
  if (ingress === undefined) return { kind: 'block', name: 'location', args, children }
  return { kind: 'block', name: 'location', args, children, origin: { object: ingress, path: location.field } }
}

/** What all families want for a location, in registry order. */
function placedBy(
  features: FeatureValues,
  context: RenderContext,
  extra: readonly Family<unknown>[],
): readonly Placed[] {
  const all = extra.length === 0 ? families : [...families, ...extra]
  return all.flatMap((family) => family.render?.(featureOf(features, family), context) ?? [])
}

/** The context that families render in. */
function renderContext(location: Location, server: Server, { model, filePath, paths }: RenderModel): RenderContext {
  const isGrpc = speaksGrpc(featureOf(location.features, upstreaming), location.route.backend)
  return {
    location,
    server,
    settings: model.settings,
    options: model.options,
    filePath,
    tempDir: paths.tempDir,
    setHeader: isGrpc ? 'grpc_set_header' : 'proxy_set_header',
  }
}

function locationArguments({ route }: Location): Argument[] {
  if (route.match === 'regex') return [literal('~*'), list('', regex('^'), regex(route.path))]
  return route.match === 'exact' ? [exactSign, literal(route.path)] : [literal(route.path)]
}

const exactSign = literal('=')

/** What a route says about itself, in variables that logs, metrics and error pages read. */
export const routeVariables: readonly RouteVariable[] = [
  { name: 'namespace', of: ({ ingress }) => ingress?.namespace ?? '' },
  { name: 'ingress_name', of: ({ ingress }) => ingress?.name ?? '' },
  { name: 'service_name', of: ({ serviceName }) => serviceName },
  { name: 'service_port', of: ({ servicePort }) => servicePort },
  { name: 'location_path', of: ({ rulePath }) => rulePath },
  { name: 'proxy_upstream_name', of: ({ backend }) => backend },
]

function withRouteOf(
  { route }: Location,
  settings: readonly ConfigNode[],
  { model, backends, neighbour }: RenderModel,
): readonly ConfigNode[] {
  if (model.options.balancing === 'dynamic') return withRoute(route, settings, routeVariables, neighbour)
  const sets = routeVariables.map(({ name, of }) => {
    const isUpstream = name === 'proxy_upstream_name'
    return directive('set', `$${name}`, isUpstream ? upstreamArgument(route.backend, backends) : literal(of(route)))
  })
  return [...sets, ...settings]
}

/**
 * COMPAT: locations send it and servers do not, so that what a server answers by itself has none (template, header filter).
 */
function renderHsts({ model }: RenderModel): ConfigNode[] {
  const header = interpolated('Strict-Transport-Security: $hsts')
  return model.settings.hsts ? [directive('more_set_headers', header)] : []
}

/** Directives of the settings part, inherited ones included. */
function renderSettings(placed: readonly Placed[], context: RenderContext, render: RenderModel): ConfigNode[] {
  const bySlot = new Map<Slot, ConfigNode[]>(slots.map((slot) => [slot, []]))
  const headers: RequestHeader[] = []
  for (const one of placed) {
    if (one.kind === 'location') bySlot.get(one.slot)?.push(...one.nodes)
    else if (one.kind === 'request-header') headers.push(one)
  }
  bySlot.get('proxy')?.push(...renderHeaders(withHeaders(render.headers, headers), context.setHeader))
  const snippet = render.model.settings['location-snippet']
  if (snippet !== '') bySlot.get('snippet')?.push(raw(snippet))
  bySlot.get('rewrite')?.push(...renderDecisions(context, render))
  return slots.flatMap((slot) => bySlot.get(slot) ?? [])
}

/** What is decided at each request: by Lua, or by directives where there is none. */
function renderDecisions({ location, server }: RenderContext, { model, backends }: RenderModel): readonly ConfigNode[] {
  if (model.options.balancing === 'dynamic') return [luaRewrite()]
  const redirect = featureOf(location.features, sslRedirect)
  const mode = redirectMode(redirect, location.route.path, model.settings)
  const backend = backends.get(location.route.backend)
  return renderStaticRewrite(redirect, mode, server.certificate !== undefined, backend, model)
}
