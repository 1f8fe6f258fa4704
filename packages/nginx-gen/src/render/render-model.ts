// What is computed once per rendering and read by every server and location.

import { deepEqual } from '@kubewire/kube-model'
import { featureOf, type HostRedirect, type RenderContext } from '../annotations/define.ts'
import { families } from '../annotations/registry.ts'
import type { ConfigNode } from '../config/node.ts'
import type { Backend } from '../model/backend.ts'
import type { FeatureValues, Location } from '../model/location.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type Server } from '../model/server.ts'
import { type Inherited, inheritedFrom } from './inherit.ts'
import type { ConfigPaths } from './paths.ts'
import { commonRequestHeaders, type RequestHeader, renderHeaders } from './request-headers.ts'
import type { Neighbour } from './route-directives.ts'

/** The model with what follows from it for all locations. */
export interface RenderModel {
  readonly model: Model
  readonly paths: ConfigPaths
  readonly filePath: (name: string) => string
  readonly backends: ReadonlyMap<string, Backend>
  readonly headers: readonly RequestHeader[]
  /** Directives that locations have without annotations; they stand in `http`. */
  readonly defaults: readonly ConfigNode[]
  readonly inherited: Inherited
  /** Settings parts rendered so far, by features and by what else they depend on. */
  readonly rendered: WeakMap<FeatureValues, Map<SettingsKey, RenderedSettings>>
  readonly servers: WeakMap<Server, RenderedServer>
  readonly neighbour: Neighbour
}

/** What the settings part of a location depends on besides its features. */
export type SettingsKey = number | string

/** A server with what it needs in `http`. */
export interface RenderedServer {
  readonly server: ConfigNode
  readonly http: readonly ConfigNode[]
}

/** The settings part of a location and what it needs around it. */
export interface RenderedSettings {
  readonly body: readonly ConfigNode[]
  readonly server: readonly ConfigNode[]
  /** Answers of the whole host. */
  readonly redirects: readonly HostRedirect[]
  readonly http: readonly ConfigNode[]
}

/** Slots whose directives nginx inherits from `http`. */
const inheritedSlots: ReadonlySet<string> = new Set(['body', 'proxy', 'response', 'after-pass'])

/** Computes what all locations share; what was rendered `before` on the same terms is kept. */
export function renderModelOf(model: Model, paths: ConfigPaths, before?: RenderModel): RenderModel {
  const backends = new Map(model.backends.map((backend) => [backend.name, backend]))
  if (before !== undefined && isOnSameTerms(before, model, paths)) {
    // An extension may look at more of a location than its values.
    const rendered = model.options.extraFamilies.length === 0 ? before.rendered : new WeakMap()
    return { ...before, model, paths, backends, rendered }
  }
  const headers = commonRequestHeaders(model)
  const filePath = (name: string): string => `${paths.filesDir}/${name}`
  const defaults = [
    ...defaultDirectives(model, paths, filePath),
    ...renderHeaders(headers, 'proxy_set_header'),
    ...renderHeaders(headers, 'grpc_set_header'),
  ]
  return {
    backends,
    model,
    paths,
    filePath,
    headers,
    defaults,
    inherited: inheritedFrom(defaults),
    rendered: new WeakMap(),
    servers: new WeakMap(),
    neighbour: { last: undefined },
  }
}

// In the static form the text of a location depends on endpoints and canaries, too: there everything is rendered anew.
function isOnSameTerms(before: RenderModel, model: Model, paths: ConfigPaths): boolean {
  const terms = (one: Model, where: ConfigPaths): unknown => [
    where,
    one.options,
    one.settings,
    one.global,
    one.defaults,
  ]
  return model.options.balancing === 'dynamic' && deepEqual(terms(before.model, before.paths), terms(model, paths))
}

/** Rendered once as HTTP and once as gRPC, since each has directives of its own. */
function defaultDirectives(
  model: Model,
  paths: ConfigPaths,
  filePath: (name: string) => string,
): readonly ConfigNode[] {
  const nodes = (['proxy_set_header', 'grpc_set_header'] as const).flatMap((setHeader) => {
    const context: RenderContext = {
      location: defaultLocation(model),
      server: defaultServer,
      settings: model.settings,
      options: model.options,
      filePath,
      tempDir: paths.tempDir,
      setHeader,
    }
    return [...families, ...model.options.extraFamilies]
      .flatMap((family) => family.render?.(featureOf(model.defaults, family), context) ?? [])
      .flatMap((one) => (one.kind === 'location' && inheritedSlots.has(one.slot) ? one.nodes : []))
  })
  const seen = new Set<string>()
  return nodes.filter((node) => {
    // `proxy_redirect default` belongs to one proxy_pass and cannot stand outside its location.
    if (node.kind === 'directive' && node.name === 'proxy_redirect' && JSON.stringify(node.args).includes('"default"'))
      return false
    const text = JSON.stringify(node)
    return seen.has(text) ? false : seen.add(text)
  })
}

function defaultLocation(model: Model): Location {
  return {
    route: {
      match: 'prefix',
      path: '/',
      rulePath: '/',
      pathType: 'Prefix',
      backend: '',
      ingress: undefined,
      serviceName: '',
      servicePort: '',
    },
    field: '',
    isDefaultBackend: false,
    denied: undefined,
    features: model.defaults,
  }
}

const defaultServer: Server = {
  host: catchAllHost,
  aliases: [],
  locations: [],
  usesRegex: false,
  certificate: undefined,
  clientAuth: undefined,
  ciphers: undefined,
  prefersServerCiphers: undefined,
  proxyTls: undefined,
  snippet: undefined,
  passthrough: undefined,
  redirectsFromWww: false,
}
