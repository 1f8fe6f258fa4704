// The server that serves all hosts that are data: the catch-all server of the model with the router where its locations
// were, and the classes as named locations beside it.

import { block, type ConfigNode, directive, literal } from '../config/node.ts'
import { luaRoute } from '../lua/directives.ts'
import type { Server } from '../model/server.ts'
import type { RenderedServer, RenderModel } from '../render/render-model.ts'
import { renderServer, unique } from '../render/server.ts'
import { hashText } from '../translate/hash.ts'
import type { RouteEntry } from './route.ts'
import { earlyAnswers, type SettingsClass } from './settings-class.ts'

/** The catch-all server without locations, taken apart. */
export interface RouterParts {
  /** What stands before the locations, and error pages of all hosts. */
  readonly head: readonly ConfigNode[]
  /** Paths that nginx answers for hosts no rule names, each with a class of its own. */
  readonly own: readonly { readonly path: string; readonly route: RouteEntry; readonly settingsClass: SettingsClass }[]
}

/** Takes the catch-all server apart. */
export function routerParts(catchAll: Server, render: RenderModel): RouterParts {
  const { server } = renderServer({ ...catchAll, locations: [] }, render)
  const children = server.kind === 'block' ? server.children : []
  const isOwn = (node: ConfigNode): boolean => ownPath(node) !== undefined
  return {
    head: children.filter((node) => !isOwn(node)),
    own: children.filter(isOwn).map((node) => ownLocation(node, ownPath(node) ?? '')),
  }
}

/** The server with these classes. */
export function routerServer({ head }: RouterParts, classes: readonly SettingsClass[]): RenderedServer {
  const sorted = [...classes].sort((a, b) => (a.name < b.name ? -1 : 1))
  const children = [
    ...head,
    block('location', ['/'], [directive('client_max_body_size', 0), luaRoute()]),
    renderDeclarations(),
    ...unique(sorted.flatMap(({ server }) => server)),
    ...sorted.map(({ location }) => location),
  ]
  return { server: block('server', [], unique(children)), http: sorted.flatMap(({ http }) => http) }
}

/** Nobody enters it: here so that nginx knows the variables that the router sets. */
function renderDeclarations(): ConfigNode {
  const names = [
    ...['namespace', 'ingress_name', 'service_name', 'service_port', 'location_path', 'proxy_upstream_name'],
    ...['route_host', 'subdomain', earlyAnswers.slash, earlyAnswers.tooLarge],
  ]
  return block(
    'location',
    ['@route-variables'],
    names.map((name) => directive('set', `$${name}`, literal(''))),
  )
}

// A location that is neither named nor of a feature: nginx's own answers, which the catch-all server alone gives.
function ownPath(node: ConfigNode): string | undefined {
  if (node.kind !== 'block' || node.name !== 'location') return undefined
  const [first, second] = node.args
  const path = second === undefined && first?.kind !== 'list' ? (first?.text ?? '') : ''
  return path.startsWith('/') ? path : undefined
}

function ownLocation(node: ConfigNode, path: string): RouterParts['own'][number] {
  const children = node.kind === 'block' ? node.children : []
  const name = `@class-${hashText(JSON.stringify([path, children]))}`
  const location = block('location', [name], children)
  return {
    path,
    route: { class: name, set: [] },
    settingsClass: { name, location, server: [], http: [], maxBodyBytes: 0 },
  }
}
