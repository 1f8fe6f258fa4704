// One location: its route (variables of its own) and its settings (what its features decided). The settings part names
// neither host nor path nor backend, so that equal settings are equal text.

import { speaksGrpc, upstreaming } from '../annotations/backend-protocol.ts'
import { featureOf, type Placed, type RenderContext, type Slot, slots } from '../annotations/define.ts'
import { families } from '../annotations/registry.ts'
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
  withOrigin,
} from '../config/node.ts'
import { luaRewrite } from '../lua/directives.ts'
import type { FeatureValues, Location } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import { withoutInherited } from './inherit.ts'
import type { RenderModel } from './render-model.ts'
import { type RequestHeader, renderHeaders, withHeaders } from './request-headers.ts'

/** A location with what it needs around it. */
export interface RenderedLocation {
  readonly location: ConfigNode
  readonly server: readonly ConfigNode[]
  readonly http: readonly ConfigNode[]
}

/** Renders one location of a server. */
export function renderLocation(location: Location, server: Server, render: RenderModel): RenderedLocation {
  const context = renderContext(location, server, render)
  const route = withOrigins([...renderRoute(location), ...renderHsts(render)], location, location.field)
  const node = (body: readonly ConfigNode[]): ConfigNode =>
    withOrigins(
      [block('location', locationArguments(location), [...route, ...body])],
      location,
      location.field,
    )[0] as ConfigNode
  if (location.denied !== undefined) return { location: node([directive('return', 503)]), server: [], http: [] }
  const placed = placedBy(location.features, context)
  const body = withoutInherited(renderSettings(placed, context, render), render.inherited)
  return {
    location: node(withOrigins(body, location, 'metadata.annotations')),
    server: placed.flatMap((one) => (one.kind === 'server' ? one.nodes : [])),
    http: placed.flatMap((one) => (one.kind === 'http' ? one.nodes : [])),
  }
}

/** Nodes that remember the Ingress they come from; those of the built-in location come from none. */
function withOrigins(nodes: readonly ConfigNode[], { route }: Location, path: string): readonly ConfigNode[] {
  const { ingress } = route
  if (ingress === undefined) return nodes
  const origin = { object: ingress, path }
  return nodes.map((node) => (node.kind === 'directive' || node.kind === 'block' ? withOrigin(node, origin) : node))
}

/** What all families want for a location, in registry order. */
export function placedBy(features: FeatureValues, context: RenderContext): readonly Placed[] {
  return families.flatMap((family) => family.render?.(featureOf(features, family), context) ?? [])
}

/** The context that families render in. */
export function renderContext(
  location: Location,
  server: Server,
  { model, filePath, paths }: RenderModel,
): RenderContext {
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
  return route.match === 'exact' ? [literal('='), literal(route.path)] : [literal(route.path)]
}

function renderRoute({ route }: Location): ConfigNode[] {
  return [
    directive('set', '$namespace', literal(route.ingress?.namespace ?? '')),
    directive('set', '$ingress_name', literal(route.ingress?.name ?? '')),
    directive('set', '$service_name', literal(route.serviceName)),
    directive('set', '$service_port', literal(route.servicePort)),
    directive('set', '$location_path', literal(route.rulePath)),
    directive('set', '$proxy_upstream_name', literal(route.backend)),
  ]
}

/**
 * COMPAT: locations send it and servers do not, so that what a server answers by itself has none (template, header filter).
 */
function renderHsts({ model }: RenderModel): ConfigNode[] {
  const header = interpolated('Strict-Transport-Security: $hsts')
  return model.settings.hsts ? [directive('more_set_headers', header)] : []
}

/** Directives of the settings part, inherited ones included. */
export function renderSettings(placed: readonly Placed[], context: RenderContext, render: RenderModel): ConfigNode[] {
  const bySlot = new Map<Slot, ConfigNode[]>(slots.map((slot) => [slot, []]))
  const headers: RequestHeader[] = []
  for (const one of placed) {
    if (one.kind === 'location') bySlot.get(one.slot)?.push(...one.nodes)
    else if (one.kind === 'request-header') headers.push(one)
  }
  bySlot.get('proxy')?.push(...renderHeaders(withHeaders(render.headers, headers), context.setHeader))
  const snippet = render.model.settings['location-snippet']
  if (snippet !== '') bySlot.get('snippet')?.push(raw(snippet))
  if (context.options.balancing === 'dynamic') bySlot.get('rewrite')?.push(luaRewrite())
  return slots.flatMap((slot) => bySlot.get(slot) ?? [])
}
