// Model → configuration in which hosts are data: the second enclosure of the same settings. The tree holds what nginx
// alone can do: the global part, one server for all routed hosts, a named location for each class of settings, and the
// servers of hosts that cannot be routed. Everything else is the table.

import { block, type ConfigNode, type ConfigTree, comment, directive } from '../config/node.ts'
import { printConfig } from '../config/print.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type Server } from '../model/server.ts'
import { locationSettings } from '../render/location.ts'
import { type ConfigPaths, defaultConfigPaths } from '../render/paths.ts'
import { renderTree } from '../render/render.ts'
import { type RenderedSettings, type RenderModel, renderModelOf } from '../render/render-model.ts'
import { hashText } from '../translate/hash.ts'
import { hostRoutes, movedHost, type RoutedHost, withOddPaths } from './host-routes.ts'
import { type HostPlan, planHosts, whyNoRouter, whyStatic } from './plan-hosts.ts'
import { routerParts, routerServer } from './router-server.ts'
import { servingName, withServingName } from './serving-name.ts'
import type { SettingsClass } from './settings-class.ts'
import { createSplitter, type SplitOnce } from './split.ts'
import { type RouteTable, routeTable } from './table.ts'

/** A configuration with its table. */
export interface RoutedConfig {
  readonly tree: ConfigTree
  /** Hash of the configuration without its classes: another one needs a reload. */
  readonly frame: string
  /** Names of the classes that routes enter, sorted. */
  readonly classes: readonly string[]
  /** Names of all classes in the tree: those, and some that are kept for routes to come. */
  readonly rendered: readonly string[]
  readonly table: RouteTable
  readonly hosts: readonly HostPlan[]
}

/** Renders one model after the other. */
export interface RoutedRenderer {
  /**
   * @param keep - classes that nginx has; those that no route enters any more stay, up to some number
   */
  render(model: Model, paths?: Partial<ConfigPaths>, keep?: readonly string[]): RoutedConfig
}

// A class costs nginx some kilobytes; one that comes back costs a reload.
const mostUnused = 64

/** Creates a renderer that keeps what it rendered for servers that are the same objects as in the model before. */
export function createRoutedRenderer(): RoutedRenderer {
  let before: Rendered | undefined
  const known = new Map<string, SettingsClass>()
  return {
    render: (model, paths = {}, keep = []) => {
      const rendered = renderedFrom(model, { ...defaultConfigPaths, ...paths }, before)
      before = rendered
      return routedConfig(rendered, known, keep)
    },
  }
}

/** Renders a model by itself. */
export function renderRouted(model: Model, paths: Partial<ConfigPaths> = {}): RoutedConfig {
  return createRoutedRenderer().render(model, paths)
}

/** The settings of a server's locations, and why it must keep its block. */
interface ServerLook {
  readonly settings: readonly RenderedSettings[]
  readonly reason: string | undefined
}

/** What is kept from one model to the next. */
interface Rendered {
  readonly render: RenderModel
  readonly splitOnce: SplitOnce
  readonly hosts: WeakMap<Server, RoutedHost>
  readonly looks: WeakMap<Server, ServerLook>
}

function renderedFrom(model: Model, paths: ConfigPaths, before: Rendered | undefined): Rendered {
  const render = renderModelOf(model, paths, before?.render)
  // The same terms keep the same map of servers.
  if (before !== undefined && render.servers === before.render.servers) return { ...before, render }
  const outer: readonly ConfigNode[] = [
    ...render.defaults,
    { kind: 'raw', text: model.settings['http-snippet'] },
    { kind: 'raw', text: model.settings['server-snippet'] },
  ]
  return { render, splitOnce: createSplitter(outer), hosts: new WeakMap(), looks: new WeakMap() }
}

function routedConfig(rendered: Rendered, known: Map<string, SettingsClass>, keep: readonly string[]): RoutedConfig {
  const { render } = rendered
  const { model } = render
  const hosts = planModel(rendered)
  // Plans stand in the order of the servers.
  const routed = model.servers.filter((_, at) => hosts[at]?.kind === 'routed')
  const own = model.servers.filter((_, at) => hosts[at]?.kind !== 'routed')
  const catchAll = routed.find(({ host }) => host === catchAllHost)
  if (catchAll === undefined) return withoutRouter(render, hosts)
  const router = routerParts(catchAll, render)
  const entries = routed.map((server) => ({ server, host: routedHost(server, rendered) }))
  const table = routeTable(
    entries.map(({ server, host }) => ({
      server,
      entry: server === catchAll ? withOddPaths(host.entry, router.own) : host.entry,
    })),
    model.wwwRedirects.map((one) => [one.from, movedHost(one, model.settings['http-redirect-code'])] as const),
  )
  const used = new Map<string, SettingsClass>()
  for (const { host } of entries) for (const one of host.classes) used.set(one.name, one)
  for (const { settingsClass } of router.own) used.set(settingsClass.name, settingsClass)
  for (const one of used.values()) known.set(one.name, one)
  const kept = keptClasses(known, used, keep, render.paths.filesDir)
  const held = new Set(keep)
  for (const name of known.keys()) if (!used.has(name) && !held.has(name)) known.delete(name)
  const rest = { ...render, model: { ...model, servers: own, wwwRedirects: [] } }
  const treeWith = (classes: readonly SettingsClass[]): ConfigTree =>
    withRouterHttp(withServingName(renderTree(render, routerServer(router, classes), rest)))
  const frame = hashText(printConfig(treeWith([])))
  const all = [...used.values(), ...kept]
  return {
    tree: [comment(`routes are data, frame ${frame}`), ...treeWith(all)],
    frame,
    classes: [...used.keys()].sort(),
    rendered: all.map(({ name }) => name).sort(),
    table,
    hosts,
  }
}

/** The frame and the classes of a text that this renderer made; `undefined` for another text. */
export function readFrame(text: string): { readonly frame: string; readonly classes: readonly string[] } | undefined {
  const frame = /^# routes are data, frame ([0-9a-f]+)$/m.exec(text)?.[1]
  if (frame === undefined) return undefined
  const classes = [...text.matchAll(/^ *location (@class-[0-9a-f]+) \{$/gm)].map(([, name = '']) => name)
  return { frame, classes: classes.sort() }
}

function planModel(rendered: Rendered): readonly HostPlan[] {
  const { model } = rendered.render
  const whole = whyNoRouter(model)
  const found = new Map<Server, string>()
  for (const server of model.servers) {
    const reason = whole ?? lookAt(server, rendered).reason
    if (reason !== undefined) found.set(server, reason)
  }
  const catchAll = model.servers.find(({ host }) => host === catchAllHost)
  const why = catchAll && found.get(catchAll)
  if (whole !== undefined || why === undefined) return planHosts(model.servers, found)
  const reason = `the catch-all host is no data: ${why}`
  return model.servers.map(({ host }) => ({ host, kind: 'static', reason: host === catchAllHost ? why : reason }))
}

function lookAt(server: Server, { render, looks }: Rendered): ServerLook {
  const known = looks.get(server)
  if (known !== undefined) return known
  const settings = server.locations.map((location) => locationSettings(location, server, render))
  const look = { settings, reason: whyStatic(server, render.model, settings) }
  looks.set(server, look)
  return look
}

function routedHost(server: Server, rendered: Rendered): RoutedHost {
  const known = rendered.hosts.get(server)
  if (known !== undefined) return known
  const host = hostRoutes(server, lookAt(server, rendered).settings, rendered.render, rendered.splitOnce)
  rendered.hosts.set(server, host)
  return host
}

// A text that names a file would not outlive the file.
function keptClasses(
  known: ReadonlyMap<string, SettingsClass>,
  used: ReadonlyMap<string, SettingsClass>,
  keep: readonly string[],
  filesDir: string,
): readonly SettingsClass[] {
  const unused = keep.filter((name) => !used.has(name)).flatMap((name) => known.get(name) ?? [])
  return unused
    .filter(({ location, server, http }) => !JSON.stringify([location, server, http]).includes(filesDir))
    .slice(0, mostUnused)
}

function withRouterHttp(tree: ConfigTree): ConfigTree {
  // Expressions of paths are compiled once per worker.
  const more = [directive('lua_regex_cache_max_entries', 16384), servingName]
  return tree.map((node) =>
    node.kind === 'block' && node.name === 'http' ? block('http', [], [...node.children, ...more]) : node,
  )
}

function withoutRouter(render: RenderModel, hosts: readonly HostPlan[]): RoutedConfig {
  const tree = renderTree(render)
  return { tree, frame: hashText(printConfig(tree)), classes: [], rendered: [], table: {}, hosts }
}
