// The location that asks an authentication service, the page that signs in, and what the asking location needs.
// Source: ingress-nginx 1.15 template (auth location). Custom error pages never apply to the question: a page with
// status 200 would turn a refusal into a permission (CVE-2026-24513).

import {
  block,
  type ConfigNode,
  directive,
  interpolated,
  literal,
  raw,
  type TextArgument,
  word,
} from '../config/node.ts'
import { hashText } from '../translate/hash.ts'
import { type AuthKeepalive, renderAuthUpstream, renderKeptTarget, renderLuaQuestion } from './auth-keepalive.ts'
import { cors, renderCors } from './cors.ts'
import { at, featureOf, inHttp, inServer, type Placed, type RenderContext, requestHeader } from './define.ts'
import { withoutModsecurity } from './modsecurity.ts'
import { proxy, renderBody, renderBuffers } from './proxy.ts'

/** A question to an authentication service. */
export interface ExternalAuth {
  readonly url: string
  readonly host: string
  readonly method: string | undefined
  readonly signin: string | undefined
  readonly signinRedirectParam: string
  readonly responseHeaders: readonly string[]
  readonly requestRedirect: string | undefined
  readonly setHeaders: readonly (readonly [name: string, value: string])[]
  readonly cacheKey: string | undefined
  readonly cacheDurations: readonly string[]
  readonly alwaysSetCookie: boolean
  readonly snippet: string | undefined
  readonly keepalive: AuthKeepalive | undefined
}

/** Where answers are remembered; written once in http. */
const cacheZone = 'auth_cache'

/** Directives of a location that asks. */
export function renderExternalAuth(value: ExternalAuth | undefined, context: RenderContext): readonly Placed[] {
  const { location, settings } = context
  const isExempt = settings['no-auth-locations'].some((prefix) => location.route.path.startsWith(prefix))
  if (value === undefined || isExempt) return []
  const body = renderQuestion(value, context)
  const path = `/_external-auth-${hashText(JSON.stringify(body))}`
  const placed: Placed[] = [
    inServer(block('location', ['=', literal(path)], body)),
    at('auth', ...renderAsking(value, literal(path))),
    ...value.responseHeaders.map((name, i) => requestHeader(name, word(`$auth_header_${i}`))),
    ...(value.signin === undefined ? [] : renderSignin(value, context)),
  ]
  if (value.cacheKey !== undefined) placed.push(inHttp(cachePath(context.tempDir)))
  if (value.keepalive !== undefined) placed.push(inHttp(renderAuthUpstream(value.keepalive)))
  return placed
}

function renderAsking(value: ExternalAuth, path: TextArgument): readonly ConfigNode[] {
  const { keepalive, responseHeaders } = value
  if (keepalive !== undefined) return renderLuaQuestion(keepalive, path, responseHeaders)
  return [
    directive('auth_request', path),
    directive('auth_request_set', '$auth_cookie', '$upstream_http_set_cookie'),
    directive('add_header', 'Set-Cookie', '$auth_cookie', ...(value.alwaysSetCookie ? ['always'] : [])),
    ...responseHeaders.map((name, i) =>
      directive('auth_request_set', `$auth_header_${i}`, `$upstream_http_${name.toLowerCase().replaceAll('-', '_')}`),
    ),
  ]
}

function cachePath(tempDir: string): ConfigNode {
  return directive(
    'proxy_cache_path',
    literal(`${tempDir}/auth-cache`),
    'levels=1:2',
    `keys_zone=${cacheZone}:10m`,
    'max_size=128m',
    'inactive=30m',
    'use_temp_path=off',
  )
}

function renderQuestion(value: ExternalAuth, context: RenderContext): readonly ConfigNode[] {
  const { settings, location, server } = context
  const transport = featureOf(location.features, proxy)
  const buffers = { ...transport, ...(value.cacheKey === undefined ? {} : { buffering: 'on' as const }) }
  const certificate = server.clientAuth?.kind === 'verify' ? server.clientAuth : undefined
  const header = (name: string, text: string): ConfigNode =>
    directive('proxy_set_header', name, text === '' ? literal('') : word(text))
  return [
    directive('internal'),
    ...(settings['enable-auth-access-log'] ? [] : [directive('access_log', 'off')]),
    ...withoutModsecurity(settings, context.options),
    // Takes the place of inherited pages; nginx never raises this status.
    directive('error_page', 306, '/'),
    directive('proxy_intercept_errors', 'off'),
    ...renderCache(value),
    directive('proxy_pass_request_body', 'off'),
    directive('proxy_pass_request_headers', 'on'),
    header('Content-Length', ''),
    header('X-Forwarded-Proto', ''),
    header('X-Request-ID', '$req_id'),
    ...(value.method === undefined
      ? []
      : [
          directive('proxy_method', literal(value.method)),
          header('X-Original-URI', '$request_uri'),
          header('X-Scheme', '$pass_access_scheme'),
        ]),
    directive('proxy_set_header', 'Host', interpolated(value.host)),
    directive('proxy_set_header', 'X-Original-URL', interpolated('$scheme://$http_host$request_uri')),
    header('X-Original-Method', '$request_method'),
    directive('proxy_set_header', 'X-Sent-From', literal('nginx-ingress-controller')),
    header('X-Real-IP', '$remote_addr'),
    header('X-Forwarded-For', usesChain(context) ? '$full_x_forwarded_for' : '$remote_addr'),
    directive(
      'proxy_set_header',
      'X-Auth-Request-Redirect',
      value.requestRedirect === undefined ? word('$request_uri') : interpolated(value.requestRedirect),
    ),
    ...(certificate?.passCertificate ? [header('ssl-client-cert', '$ssl_client_escaped_cert')] : []),
    ...(certificate === undefined ? [] : certificateHeaders.map(([name, text]) => header(name, text))),
    ...value.setHeaders.map(([name, text]) => directive('proxy_set_header', literal(name), interpolated(text))),
    ...renderBody(transport),
    ...renderBuffers(buffers),
    directive('proxy_request_buffering', transport.requestBuffering),
    ...(value.keepalive === undefined ? [directive('proxy_http_version', transport.httpVersion)] : []),
    directive('proxy_ssl_server_name', 'on'),
    ...(value.snippet === undefined ? [] : [raw(value.snippet)]),
    ...(value.url.includes('escaped_request_uri') ? [escapedRequestUri(context)] : []),
    // A variable makes nginx resolve the name at the request: an unknown one cannot stop a reload.
    ...(value.keepalive === undefined
      ? [directive('set', '$auth_target', interpolated(withPath(value.url)))]
      : renderKeptTarget(value.keepalive, value.url)),
    directive('proxy_pass', '$auth_target'),
  ]
}

const certificateHeaders: readonly (readonly [string, string])[] = [
  ['ssl-client-verify', '$ssl_client_verify'],
  ['ssl-client-subject-dn', '$ssl_client_s_dn'],
  ['ssl-client-issuer-dn', '$ssl_client_i_dn'],
]

/** The request URI with everything escaped, as a query parameter needs it; as it came where there is no Lua. */
function escapedRequestUri({ options }: RenderContext): ConfigNode {
  if (options.balancing === 'static') return directive('set', '$escaped_request_uri', '$request_uri')
  return directive('set_by_lua', '$escaped_request_uri', literal('return ngx.escape_uri(ngx.var.request_uri)'))
}

function renderCache(value: ExternalAuth): readonly ConfigNode[] {
  if (value.cacheKey === undefined) return []
  return [
    directive('proxy_cache', cacheZone),
    // The path of this location stands for everything that makes up the question.
    directive('proxy_cache_key', interpolated(`$server_name$uri\${location_path}${value.cacheKey}`)),
    ...value.cacheDurations.map((item) => directive('proxy_cache_valid', ...item.split(' ').map(literal))),
  ]
}

function renderSignin(value: ExternalAuth, context: RenderContext): readonly Placed[] {
  const crossOrigin = featureOf(context.location.features, cors)
  const children = [
    directive('internal'),
    ...withoutModsecurity(context.settings, context.options),
    directive('add_header', 'Set-Cookie', '$auth_cookie'),
    ...(crossOrigin === undefined ? [] : renderCors(crossOrigin).location),
    escapedRequestUri(context),
    directive('return', 302, interpolated(signinUrl(value.signin ?? '', value.signinRedirectParam))),
  ]
  const name = `@signin-${hashText(JSON.stringify(children))}`
  return [
    at('auth', directive('error_page', 401, '=', literal(name))),
    inServer(block('location', [literal(name)], children)),
  ]
}

/** Adds the address the client wanted, unless the URL says it already. */
function signinUrl(signin: string, parameter: string): string {
  const query = /\?(.*)$/.exec(signin)?.[1] ?? ''
  // COMPAT: a parameter without a value says nothing (template.go buildAuthSignURL).
  const names = query.split('&').flatMap((pair) => (/=./.test(pair) ? [pair.split('=')[0]] : []))
  const wanted = `${parameter}=$pass_access_scheme://$http_host$escaped_request_uri`
  if (query === '') return `${signin.replace(/\?$/, '')}?${wanted}`
  return names.includes(parameter) ? signin : `${signin}&${wanted}`
}

/** With a variable nginx passes its own path where the URL has none. */
function withPath(url: string): string {
  return /^https?:\/\/[^/?]+$/i.test(url) ? `${url}/` : url
}

function usesChain({ settings }: RenderContext): boolean {
  return settings['use-forwarded-headers'] && settings['compute-full-forwarded-for']
}
