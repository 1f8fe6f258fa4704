// The directives that load our Lua files and call them, one function per place. All code here is constant: data
// reaches Lua through nginx variables and shared dictionaries alone (reference: design rules after the CVE table).

import { block, type ConfigNode, directive, list, literal, lua } from '../config/node.ts'

/** What the Lua part needs to know when nginx starts. */
export interface LuaOptions {
  /** Folder that holds the files of `luaFiles`. */
  readonly luaDir: string
  /** `name` → size as nginx writes it; the defaults of `lua-shared-dicts` fill what is missing. */
  readonly sharedDicts: { readonly [name: string]: string }
  /** Most requests of one worker and second that are counted; 0 switches request metrics off. */
  readonly maxBatchSize: number
}

/** Sizes of the shared dictionaries (ingress-nginx 1.15.1, `lua-shared-dicts`). */
export const defaultSharedDicts: { readonly [name: string]: string } = {
  balancer_ewma: '10m',
  balancer_ewma_last_touched_at: '10m',
  certificate_data: '20m',
  certificate_servers: '5m',
  configuration_data: '20m',
  ocsp_response_cache: '5m',
  // Ours: the hosts that are data, about half a kilobyte each.
  route_table: '32m',
}

/** For the `http` block: where Lua finds its files, the dictionaries, the start of each worker. */
export function luaHttpDirectives({ luaDir, sharedDicts, maxBatchSize }: LuaOptions): readonly ConfigNode[] {
  const dicts = Object.entries({ ...defaultSharedDicts, ...sharedDicts }).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    directive('lua_package_path', literal(`${luaDir}/?.lua;/usr/share/lua/5.1/?.lua;;`)),
    // Debian's multi-arch folders; what is not there is passed over.
    directive(
      'lua_package_cpath',
      literal('/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;/usr/lib/aarch64-linux-gnu/lua/5.1/?.so;;'),
    ),
    ...dicts.map(([name, size]) => directive('lua_shared_dict', name, size)),
    lua('init_by_lua_block', 'require("resty.core")\nkubewire = require("kubewire")'),
    lua('init_worker_by_lua_block', `kubewire.init_worker(${Math.trunc(maxBatchSize)})`),
  ]
}

/** For the upstream that all locations share, before its keepalive directives. */
export function luaUpstream(): readonly ConfigNode[] {
  return [
    // nginx wants a server line; the address is never used.
    directive('server', '0.0.0.1'),
    lua('balancer_by_lua_block', 'kubewire.balance()'),
  ]
}

/** For an upstream of kept connections to an authentication service, before its keepalive directives. */
export function luaQuestionUpstream(): readonly ConfigNode[] {
  return [directive('server', '0.0.0.1'), lua('balancer_by_lua_block', 'kubewire.balance_question()')]
}

/** For a location that asks an authentication service over kept connections. */
export function luaAsk(): ConfigNode {
  return lua('access_by_lua_block', 'kubewire.ask()')
}

/** For the default server of TLS listeners: the certificate by SNI, before the server of the name is known. */
export function luaClientHello(): ConfigNode {
  return lua('ssl_client_hello_by_lua_block', 'kubewire.client_hello()')
}

/** For a server with a TLS context of its own: the certificate by SNI, with an OCSP answer where `isStapled`. */
export function luaCertificate(isStapled: boolean): ConfigNode {
  return lua('ssl_certificate_by_lua_block', isStapled ? 'kubewire.stapled_certificate()' : 'kubewire.certificate()')
}

/** For every location that proxies for a rule: redirect to https, 503 without endpoints, main or canary. */
export function luaRewrite(): ConfigNode {
  return lua('rewrite_by_lua_block', 'kubewire.rewrite()')
}

/** For the server of all hosts that are data: finds the route and enters its class. */
export function luaRoute(): ConfigNode {
  return lua('rewrite_by_lua_block', 'kubewire.route()')
}

/** For the `http` block: what is learned when a request ends (EWMA, metrics). */
export function luaLog(): ConfigNode {
  return lua('log_by_lua_block', 'kubewire.log()')
}

/**
 * The server on the control socket: pushes of backends and certificates, readiness, nginx's own counters.
 *
 * @param more - directives of the server
 * @param controlSocket - path; nginx makes it with mode 0666, so its folder must be closed to everybody else
 */
export function luaServer(controlSocket: string, more: readonly ConfigNode[] = []): ConfigNode {
  return block(
    'server',
    [],
    [
      directive('listen', list('', 'unix:', literal(controlSocket))),
      directive('server_name', literal('')),
      ...more,
      directive('access_log', 'off'),
      directive('keepalive_timeout', '0'),
      directive('client_max_body_size', '256m'),
      // A push stays in memory, keys of certificates with it; nginx takes no more than it needs.
      directive('client_body_buffer_size', '256m'),
      block('location', ['/'], [lua('content_by_lua_block', 'kubewire.control()')]),
      block('location', ['=', '/nginx_status'], [directive('stub_status')]),
    ],
  )
}
