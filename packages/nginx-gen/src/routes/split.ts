// A location as its route and its settings: the route is data for the router, the settings are a class.

import { renderServerProxyTls } from '../annotations/proxy-tls.ts'
import type { ConfigNode, TextArgument } from '../config/node.ts'
import type { Location } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import { routeVariables } from '../render/location.ts'
import type { RenderedSettings, RenderModel } from '../render/render-model.ts'
import { escapePath } from '../simulate/content.ts'
import { literalStart } from './literal-start.ts'
import type { PathPattern, RouteEntry } from './route.ts'
import {
  type CarriedText,
  createClassNames,
  type SettingsClass,
  type SplitSettings,
  splitSettings,
} from './settings-class.ts'
import { parseTemplate } from './template.ts'

/** A location of a routed host. */
export interface SplitLocation {
  readonly route: RouteEntry
  readonly settingsClass: SettingsClass
  /** What the location needs of its whole host. */
  readonly settings: RenderedSettings
}

/** Splits settings once: many locations hold the same object. */
export type SplitOnce = (settings: RenderedSettings) => SplitSettings

/** A splitter that remembers; `outer` is what http and the server say about bodies. */
export function createSplitter(outer: readonly ConfigNode[]): SplitOnce {
  const known = new WeakMap<RenderedSettings, SplitSettings>()
  const nameClass = createClassNames()
  return (settings) => {
    const found = known.get(settings) ?? splitSettings(settings, outer, nameClass)
    known.set(settings, found)
    return found
  }
}

/** Splits one location of a server, whose settings are known. */
export function splitLocation(
  location: Location,
  own: RenderedSettings,
  server: Server,
  render: RenderModel,
  splitOnce: SplitOnce,
): SplitLocation {
  const settings = withServerSettings(own, server, render)
  const { settingsClass, carried } = splitOnce(settings)
  return { settings, settingsClass, route: routeOf(location, settingsClass, carried) }
}

// What a server block would say for all its locations, as far as they do not say it themselves.
function withServerSettings(settings: RenderedSettings, { proxyTls }: Server, render: RenderModel): RenderedSettings {
  if (proxyTls === undefined) return settings
  const own = new Set(settings.body.map((node) => ('name' in node ? node.name : '')))
  const inherited = renderServerProxyTls(proxyTls, render.filePath).filter(
    (node) => node.kind === 'directive' && !own.has(node.name),
  )
  return { ...settings, body: [...inherited, ...settings.body] }
}

/** The expression of a location that has one. */
export function patternOf({ route }: Location, at: number): PathPattern {
  return { start: literalStart(route.path), pattern: `^${route.path}`, route: at }
}

function routeOf(
  { route, denied }: Location,
  { name, maxBodyBytes }: SettingsClass,
  carried: readonly CarriedText[],
): RouteEntry {
  const set: string[] = []
  for (const { name: variable, of } of routeVariables) set.push(variable, of(route))
  for (const { variable, text } of carried) if (!isTemplate(text)) set.push(variable, text.text)
  const filled = carried.filter(({ text }) => isTemplate(text))
  const pattern = filled.find((one) => one.pattern !== undefined)?.pattern
  // nginx sends a URI to the path with a slash at the end where the location proxies.
  const hasSlash = route.match !== 'regex' && route.path.endsWith('/') && denied === undefined
  const entry: { -readonly [Key in keyof RouteEntry]: RouteEntry[Key] } = { class: name, set }
  if (filled.length > 0)
    entry.fill = filled.map(({ variable, text }) => ({ variable, parts: parseTemplate(text.text) }))
  if (pattern !== undefined) entry.pattern = pattern
  if (maxBodyBytes !== 0) entry.maxBody = maxBodyBytes
  if (hasSlash && route.path !== '/') entry.slash = escapePath(route.path)
  return entry
}

function isTemplate({ kind, text }: TextArgument): boolean {
  return kind === 'interpolated' && text.includes('$')
}
