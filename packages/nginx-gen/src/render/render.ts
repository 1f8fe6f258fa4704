// Model → configuration tree. Pure and total: whatever translation made can be rendered.

import { block, type ConfigNode, type ConfigTree, directive, literal, raw } from '../config/node.ts'
import type { Model } from '../model/model.ts'
import { usesGeoip2 } from '../settings/geoip2.ts'
import { renderHttp } from './http.ts'
import { renderErrorLog } from './logs.ts'
import { type ConfigPaths, defaultConfigPaths } from './paths.ts'
import { type RenderedServer, type RenderModel, renderModelOf } from './render-model.ts'
import { renderSettingsOf } from './settings.ts'
import { renderStream } from './stream.ts'

/**
 * Renders a model as the tree of one nginx.conf for nginx 1.22 with Debian's modules lua, headers-more and stream.
 *
 * @param model - what `translateIngresses` returned
 * @param paths - where files and sockets stand; Debian's places for what is absent
 * @example
 * console.log(printConfig(renderConfig(model)))
 */
export function renderConfig(model: Model, paths: Partial<ConfigPaths> = {}): ConfigTree {
  return createRenderer().render(model, paths)
}

/** Renders one model after the other. */
export interface Renderer {
  /** The same as `renderConfig` gives. */
  render(model: Model, paths?: Partial<ConfigPaths>): ConfigTree
}

/** Creates a renderer that keeps the trees of servers that are the same objects as in the model before. */
export function createRenderer(): Renderer {
  let before: RenderModel | undefined
  return {
    render: (model, paths = {}) => {
      const render = renderModelOf(model, { ...defaultConfigPaths, ...paths }, before)
      before = render
      return renderTree(render)
    },
  }
}

/** The tree of what has been computed; `router` and `own` are the server for hosts that are data and the hosts that are not. */
export function renderTree(render: RenderModel, router?: RenderedServer, own: RenderModel = render): ConfigTree {
  return [...renderMain(render), renderHttp(own, router), ...renderStream(render)]
}

function renderMain({ model, paths }: RenderModel): ConfigNode[] {
  const { settings, options } = model
  // nginx counts the processors of the machine, of which a container may use a few only.
  const isCounted = settings['worker-processes'] === 'auto' && options.cpus !== undefined
  const mainSettings = isCounted ? { ...settings, 'worker-processes': String(options.cpus) } : settings
  const modules = [
    ...(model.options.balancing === 'dynamic' ? ['ndk_http_module', 'ngx_http_lua_module'] : []),
    'ngx_http_headers_more_filter_module',
    'ngx_stream_module',
    ...(options.modules.brotli ? ['ngx_http_brotli_filter_module'] : []),
    ...(usesGeoip2(settings, options) ? ['ngx_http_geoip2_module'] : []),
    ...(options.modules.modsecurity === undefined ? [] : ['ngx_http_modsecurity_module']),
  ]
  return [
    ...modules.map((name) => directive('load_module', literal(`${paths.modulesDir}/${name}.so`))),
    directive('pid', literal(paths.pidFile)),
    ...(paths.user === undefined ? [] : [directive('user', literal(paths.user))]),
    renderErrorLog(model, paths),
    ...renderSettingsOf('main', mainSettings),
    ...(settings['main-snippet'] === '' ? [] : [raw(settings['main-snippet'])]),
    block(
      'events',
      [],
      [
        ...renderSettingsOf('events', { ...settings, 'max-worker-connections': connectionsOf(model) }),
        directive('use', 'epoll'),
        ...settings['debug-connections'].map((address) => directive('debug_connection', literal(address))),
      ],
    ),
  ]
}

/** COMPAT: 0 means three quarters of the files that a worker may open, 1,024 of them left aside (nginx.go generateTemplate). */
function connectionsOf({ settings, options }: Model): number {
  const wanted = settings['max-worker-connections']
  if (wanted !== 0 || options.openFiles === undefined) return wanted
  const files = settings['max-worker-open-files'] || Math.max(options.openFiles - 1024, 1024)
  return Math.floor((files * 3) / 4)
}
