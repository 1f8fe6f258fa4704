// One server: listeners, TLS, what its locations need around them, and the locations.
// Source: ingress-nginx 1.15 template SERVER.

import { renderServerProxyTls } from '../annotations/proxy-tls.ts'
import {
  type Argument,
  block,
  type ConfigNode,
  directive,
  interpolated,
  literal,
  raw,
  regex,
  word,
} from '../config/node.ts'
import { defaultBackendName } from '../model/backend.ts'
import { type ClientAuth, catchAllHost, type Server, type WwwRedirect } from '../model/server.ts'
import { errorLocation } from './error-pages.ts'
import { renderListeners } from './listeners.ts'
import { renderLocation } from './location.ts'
import type { RenderedServer, RenderModel } from './render-model.ts'
import { renderRedirectContext, renderTlsContext } from './tls-context.ts'
import { wildcardPattern } from './variables.ts'

/** Renders one server of the model, once while the terms are the same. */
export function renderServer(server: Server, render: RenderModel): RenderedServer {
  const known = render.servers.get(server)
  if (known !== undefined) return known
  const rendered = renderServerAnew(server, render)
  render.servers.set(server, rendered)
  return rendered
}

function renderServerAnew(server: Server, render: RenderModel): RenderedServer {
  const { model } = render
  const isDenied = server.clientAuth?.kind === 'denied'
  const locations = isDenied ? [] : server.locations.map((location) => renderLocation(location, server, render))
  const children = [
    directive('server_name', ...serverNames(server)),
    ...renderListeners(model, server.host),
    ...renderCertificates(server, render),
    ...renderBlocks(render),
    ...(isDenied ? [directive('return', 403)] : renderClientAuth(server.clientAuth, render)),
    ...(server.proxyTls === undefined || isDenied ? [] : renderServerProxyTls(server.proxyTls, render.filePath)),
    ...(server.snippet === undefined ? [] : [raw(server.snippet)]),
    ...(model.settings['server-snippet'] === '' ? [] : [raw(model.settings['server-snippet'])]),
    ...unique([...locations.flatMap((one) => one.server), ...globalErrorPages(render)]),
    ...locations.map((one) => one.location),
    ...(server.host === catchAllHost ? renderWellKnown(render) : []),
  ]
  return { server: block('server', [], children), http: locations.flatMap((one) => one.http) }
}

/** The server of a name that only redirects to its other form. The port is always written, a slash at the end never. */
export function renderWwwRedirect({ from, to }: WwwRedirect, render: RenderModel): ConfigNode {
  const { model } = render
  const target = interpolated(`$pass_access_scheme://${to}:$pass_server_port$slashless_uri`)
  return block(
    'server',
    [],
    [
      directive('server_name', literal(from)),
      ...renderListeners(model, from),
      ...renderRedirectContext(render),
      ...renderBlocks(render),
      directive('return', model.settings['http-redirect-code'], target),
    ],
  )
}

/** Nodes without structural repetition, in order. */
export function unique(nodes: readonly ConfigNode[]): readonly ConfigNode[] {
  if (nodes.length === 0) return nodes
  const seen = new Set<string>()
  return [...new Set(nodes)].filter((node) => {
    const text = JSON.stringify(node)
    return seen.has(text) ? false : seen.add(text)
  })
}

function serverNames({ host, aliases }: Server): Argument[] {
  const name = host.startsWith('*.') ? wildcardPattern(host) : literal(host)
  return [name, ...aliases.map((alias) => (alias.startsWith('~') ? regex(alias) : literal(alias)))]
}

function renderCertificates(server: Server, render: RenderModel): ConfigNode[] {
  const nodes: ConfigNode[] = []
  if (server.host === catchAllHost && render.model.settings['ssl-reject-handshake']) {
    nodes.push(directive('ssl_reject_handshake', 'on'))
  }
  nodes.push(...renderTlsContext(server, render))
  if (server.ciphers !== undefined) nodes.push(directive('ssl_ciphers', literal(server.ciphers)))
  if (server.prefersServerCiphers !== undefined) {
    nodes.push(directive('ssl_prefer_server_ciphers', server.prefersServerCiphers ? 'on' : 'off'))
  }
  return nodes
}

function renderClientAuth(auth: ClientAuth | undefined, { filePath }: RenderModel): ConfigNode[] {
  if (auth?.kind !== 'verify') return []
  const nodes: ConfigNode[] = [
    directive('ssl_client_certificate', literal(filePath(auth.caFile))),
    directive('ssl_verify_client', auth.verifyClient),
    directive('ssl_verify_depth', auth.depth),
  ]
  if (auth.crlFile !== undefined) nodes.push(directive('ssl_crl', literal(filePath(auth.crlFile))))
  if (auth.errorPage !== undefined) nodes.push(directive('error_page', 495, 496, '=', literal(auth.errorPage)))
  if (auth.matchCn !== undefined) {
    const unauthorized = directive('return', 403, literal('client certificate unauthorized'))
    nodes.push(block('if', ['$ssl_client_s_dn', '!~', regex(auth.matchCn)], [unauthorized]))
  }
  return nodes
}

/** User agents and referers that are refused everywhere. */
function renderBlocks({ model }: RenderModel): ConfigNode[] {
  const { settings } = model
  return [
    ...(settings['block-user-agents'].length > 0 ? [block('if', ['$block_ua'], [directive('return', 403)])] : []),
    ...(settings['block-referers'].length > 0 ? [block('if', ['$block_ref'], [directive('return', 403)])] : []),
  ]
}

function globalErrorPages({ model }: RenderModel): ConfigNode[] {
  const codes = model.settings['custom-http-errors']
  return codes.map((code) => errorLocation(defaultBackendName, code, model))
}

/** Health check and counters, for those who ask the http port itself. */
function renderWellKnown({ model }: RenderModel): ConfigNode[] {
  const { settings, options } = model
  const allowed = [
    ...settings['nginx-status-ipv4-whitelist'],
    ...(options.ipv6 ? settings['nginx-status-ipv6-whitelist'] : []),
  ]
  return [
    block('location', [literal(options.healthCheckPath)], [directive('access_log', 'off'), directive('return', 200)]),
    block(
      'location',
      [word('/nginx_status')],
      [
        ...allowed.map((address) => directive('allow', literal(address))),
        directive('deny', 'all'),
        directive('access_log', 'off'),
        directive('stub_status'),
      ],
    ),
  ]
}
