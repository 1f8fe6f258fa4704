// The `http` block: what holds for all servers, then the servers.
// Source: ingress-nginx 1.15 template, http part.

import { renderModsecurity, withoutModsecurity } from '../annotations/modsecurity.ts'
import { block, type ConfigNode, directive, interpolated, list, literal, raw } from '../config/node.ts'
import { luaHttpDirectives, luaLog, luaServer } from '../lua/directives.ts'
import { defaultBackendName } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { renderCompression } from '../settings/compression.ts'
import { renderGeoip2 } from '../settings/geoip2.ts'
import { errorLocationName } from './error-pages.ts'
import { listenArgument } from './listeners.ts'
import { renderErrorLog, renderHttpLogs } from './logs.ts'
import { renderRealIp } from './real-ip.ts'
import type { RenderedServer, RenderModel } from './render-model.ts'
import { renderResolver } from './resolver.ts'
import { renderServer, renderWwwRedirect, unique } from './server.ts'
import { renderSettingsOf } from './settings.ts'
import { renderStaticChoices } from './static-balancing.ts'
import { renderUpstreams } from './upstreams.ts'
import { renderVariables } from './variables.ts'

/** The whole block; `router` is the server for hosts that are data. */
export function renderHttp(render: RenderModel, router?: RenderedServer): ConfigNode {
  const { model, paths } = render
  const own = model.servers.map((server) => renderServer(server, render))
  const servers = router === undefined ? own : [router, ...own]
  return block(
    'http',
    [],
    [
      ...renderLua(render),
      ...renderTransport(render),
      ...renderSettingsOf('http', model.settings),
      ...renderCompression(model.settings, model.options.modules),
      ...renderModsecurity(model.settings, model.options),
      ...renderHash(model),
      ...renderTls(render),
      ...render.defaults,
      ...renderGeoip2(model.settings, model.options),
      ...renderHttpLogs(model, paths),
      renderErrorLog(model, paths),
      ...renderVariables(model),
      ...renderRealIp(model),
      ...renderResponse(model),
      ...renderUpstreams(model),
      ...(model.options.balancing === 'static' ? renderStaticChoices(render.backends) : []),
      ...unique(servers.flatMap((one) => one.http)),
      ...model.settings['block-cidrs'].map((range) => directive('deny', literal(range))),
      ...(model.settings['http-snippet'] === '' ? [] : [raw(model.settings['http-snippet'])]),
      ...model.wwwRedirects.map((redirect) => renderWwwRedirect(redirect, render)),
      ...servers.map((one) => one.server),
      renderDefaultServer(model),
      renderStatusServer(model),
      ...(model.options.balancing === 'dynamic'
        ? [luaServer(paths.controlSocket, withoutModsecurity(model.settings, model.options))]
        : []),
    ],
  )
}

function renderLua({ model, paths }: RenderModel): readonly ConfigNode[] {
  if (model.options.balancing !== 'dynamic') return []
  const sharedDicts = Object.fromEntries(model.settings['lua-shared-dicts'].map(({ name, size }) => [name, size]))
  const maxBatchSize = model.options.metrics ? paths.maxMetricsBatch : 0
  return [...luaHttpDirectives({ luaDir: paths.luaDir, sharedDicts, maxBatchSize }), luaLog()]
}

function renderTransport({ paths, model }: RenderModel): ConfigNode[] {
  return [
    directive('include', literal(paths.mimeTypes)),
    directive('aio', 'threads'),
    directive('tcp_nopush', 'on'),
    directive('tcp_nodelay', 'on'),
    directive('log_subrequest', 'on'),
    directive('reset_timedout_connection', 'on'),
    directive('server_name_in_redirect', 'off'),
    directive('uninitialized_variable_warn', 'off'),
    ...['client_body', 'proxy', 'fastcgi'].map((name) =>
      directive(`${name}_temp_path`, literal(`${paths.tempDir}/${name.replace('_', '-')}`)),
    ),
    ...renderResolver(model, paths),
  ]
}

/** Hash sizes that depend on the names in the file. */
function renderHash({ settings, servers, wwwRedirects }: Model): ConfigNode[] {
  const names = [...servers.flatMap(({ host, aliases }) => [host, ...aliases]), ...wwwRedirects.map(({ from }) => from)]
  const longest = names.reduce((most, { length }) => Math.max(most, length), 0)
  // nginx keeps a name with three pointers in a bucket; buckets are powers of two. Among many names several meet in one:
  // nginx would try every size of the table and warn.
  const room = names.length > 500 ? 8 * (longest + 26) : longest + 26
  const computed = 2 ** Math.ceil(Math.log2(Math.max(room, 64)))
  const bucket = settings['server-name-hash-bucket-size'] || computed
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(names.length, 1) * 2))
  return [
    directive('types_hash_max_size', 2048),
    directive('server_names_hash_max_size', Math.max(settings['server-name-hash-max-size'], wanted)),
    directive('server_names_hash_bucket_size', bucket),
  ]
}

function renderTls({ model, filePath }: RenderModel): ConfigNode[] {
  const { settings, global } = model
  return [
    ...(settings['ssl-session-cache']
      ? [
          directive('ssl_session_cache', list('', 'shared:SSL:', literal(settings['ssl-session-cache-size']))),
          directive('ssl_session_timeout', literal(settings['ssl-session-timeout'])),
        ]
      : []),
    ...(global.dhParamFile === undefined ? [] : [directive('ssl_dhparam', literal(filePath(global.dhParamFile)))]),
    ...(global.ticketKeyFile === undefined
      ? []
      : [directive('ssl_session_ticket_key', literal(filePath(global.ticketKeyFile)))]),
    directive('proxy_ssl_session_reuse', 'on'),
  ]
}

function renderResponse({ settings, global }: Model): ConfigNode[] {
  const codes = settings['custom-http-errors']
  return [
    ...global.responseHeaders.map(([name, value]) =>
      directive('more_set_headers', list('', literal(name), literal(': '), interpolated(value))),
    ),
    ...(codes.length > 0 && !settings['disable-proxy-intercept-errors']
      ? [directive('proxy_intercept_errors', 'on')]
      : []),
    ...codes.map((code) => directive('error_page', code, '=', errorLocationName(defaultBackendName, code))),
    block('geo', ['$redirect_code'], [directive('default', settings['http-redirect-code'])]),
  ]
}

/** Counters for exporters on the same host; what changes anything is behind a socket of ours. */
function renderStatusServer({ options, settings }: Model): ConfigNode {
  return block(
    'server',
    [],
    [
      directive('listen', listenArgument('127.0.0.1', options.statusPort)),
      ...withoutModsecurity(settings, options),
      directive('access_log', 'off'),
      block('location', ['=', literal(options.healthCheckPath)], [directive('return', 200)]),
      block('location', ['=', '/nginx_status'], [directive('stub_status')]),
      block('location', ['/'], [directive('return', 404)]),
    ],
  )
}

/** Answers 404 where no default backend is configured. */
function renderDefaultServer({ options, settings }: Model): ConfigNode {
  const reuse = settings['reuse-port'] ? ['reuseport'] : []
  return block(
    'server',
    [],
    [
      directive('listen', listenArgument('127.0.0.1', options.defaultServerPort), 'default_server', ...reuse),
      // Here so that nginx knows the variables. No other server sets them: a subrequest runs through its server's
      // rewrite rules again and would reset what the request has found.
      directive('set', '$proxy_upstream_name', literal('internal')),
      directive('set', '$proxy_alternative_upstream_name', literal('')),
      directive('access_log', 'off'),
      block('location', ['/'], [directive('return', 404)]),
    ],
  )
}
