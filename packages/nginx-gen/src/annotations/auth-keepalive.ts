// auth-keepalive*: questions to an authentication service over connections that stay. nginx keeps none for the questions
// of its own module, so Lua asks instead; Lua cannot ask within HTTP/2, so use-http2 must be off.
// Source: ingress-nginx 1.15 annotations/authreq, template shouldApplyAuthUpstream, lua/nginx/ngx_conf_external_auth.lua.

import { block, type ConfigNode, directive, interpolated, literal, type TextArgument } from '../config/node.ts'
import { luaAsk, luaQuestionUpstream } from '../lua/directives.ts'
import type { BackendEndpoint } from '../model/backend.ts'
import { hashText } from '../translate/hash.ts'
import { type Annotation, type AnnotationReader, defineAnnotation, type ResolveContext } from './define.ts'
import { flag, integer } from './values.ts'

/** Connections that are kept to the service of one question. */
export interface AuthKeepalive {
  /** Name of the upstream in the text: one for each Ingress, scheme, address and wish. */
  readonly upstream: string
  /** Name of the backend that stands for the service; no Service has a colon in its name. */
  readonly backend: string
  readonly endpoint: BackendEndpoint
  readonly connections: number
  readonly requests: number
  readonly timeoutSeconds: number
  readonly sharesVariables: boolean
}

const common = { group: 'access', scope: 'location', risk: 'Low', invalid: 'ignore', tier: 3 } as const

const connections = defineAnnotation({
  ...common,
  names: ['auth-keepalive'],
  value: integer,
  fallback: '0',
  summary: 'idle connections to the service; needs use-http2: false and a URL without variables in its host',
})
const sharesVariables = defineAnnotation({
  ...common,
  names: ['auth-keepalive-share-vars'],
  value: flag,
  fallback: 'false',
  summary: 'lets the question change variables of the request',
})
const requests = defineAnnotation({
  ...common,
  names: ['auth-keepalive-requests'],
  value: integer,
  fallback: '1000',
  summary: 'requests over such a connection',
})
const timeout = defineAnnotation({
  ...common,
  names: ['auth-keepalive-timeout'],
  value: integer,
  fallback: '60',
  summary: 'how long such a connection may idle, seconds',
})

/** The annotations of this file. */
export const authKeepaliveAnnotations: readonly Annotation<unknown>[] = [
  connections,
  sharesVariables,
  requests,
  timeout,
]

/** Reads them; `undefined` where each question has a connection of its own. */
export function readAuthKeepalive(
  read: AnnotationReader,
  url: string,
  context: ResolveContext,
): AuthKeepalive | undefined {
  const value = {
    connections: read(connections) ?? 0,
    requests: read(requests) ?? 1000,
    timeoutSeconds: read(timeout) ?? 60,
    sharesVariables: read(sharesVariables) ?? false,
  }
  if (value.connections <= 0) return undefined
  const endpoint = endpointOf(url)
  const obstacle = whyNoKeepalive(value, endpoint, context)
  if (endpoint === undefined || obstacle !== undefined) {
    context.warn(connections, obstacle ?? 'the URL names no host', 'each question has a connection of its own')
    return undefined
  }
  const wish = [context.key, /^[^:]*/.exec(url)?.[0], endpoint, value]
  return {
    ...value,
    endpoint,
    upstream: `auth_${hashText(JSON.stringify(wish))}`,
    backend: `external-auth:${endpoint.address}:${endpoint.port}`,
  }
}

function whyNoKeepalive(
  value: Pick<AuthKeepalive, 'requests' | 'timeoutSeconds'>,
  endpoint: BackendEndpoint | undefined,
  { settings, options }: ResolveContext,
): string | undefined {
  if (endpoint === undefined) return 'the host of auth-url has a variable'
  if (value.requests <= 0 || value.timeoutSeconds <= 0) return 'expected requests and a timeout above 0'
  if (settings['use-http2']) return 'needs use-http2: "false" in the ConfigMap'
  return options.balancing === 'static' ? 'needs the Lua module' : undefined
}

/** Where the service listens; `undefined` with a variable in host or port. */
function endpointOf(url: string): BackendEndpoint | undefined {
  const [, scheme, host, port] = /^(https?):\/\/([^/:?#$]+)(?::([0-9]{1,5}))?(?=[/?]|$)/i.exec(url) ?? []
  if (host === undefined) return undefined
  const fallback = scheme?.toLowerCase() === 'https' ? 443 : 80
  return { address: host, port: port === undefined ? fallback : Number(port) }
}

/** Upstream of the questions, for `http`. */
export function renderAuthUpstream(value: AuthKeepalive): ConfigNode {
  return block(
    'upstream',
    [value.upstream],
    [
      ...luaQuestionUpstream(),
      directive('keepalive', value.connections),
      directive('keepalive_requests', value.requests),
      directive('keepalive_timeout', `${value.timeoutSeconds}s`),
    ],
  )
}

/** What a location does to ask: Lua reads the variables, and sets those of the cookie and the headers. */
export function renderLuaQuestion(
  value: AuthKeepalive,
  path: TextArgument,
  responseHeaders: readonly string[],
): readonly ConfigNode[] {
  return [
    directive('set', '$auth_cookie', literal('')),
    // COMPAT: without `always`, whatever auth-always-set-cookie says (template).
    directive('add_header', 'Set-Cookie', '$auth_cookie'),
    ...responseHeaders.map((_, i) => directive('set', `$auth_header_${i}`, literal(''))),
    directive('set', '$auth_path', path),
    directive('set', '$auth_shares_variables', value.sharesVariables ? 'true' : 'false'),
    directive('set', '$auth_response_headers', literal(responseHeaders.join(','))),
    luaAsk(),
  ]
}

/** The connection of the location that asks. `url` keeps its path; the upstream takes the place of the host. */
export function renderKeptTarget(value: AuthKeepalive, url: string): readonly ConfigNode[] {
  const [, scheme = 'http', rest = ''] = /^(https?):\/\/[^/?]*(.*)$/i.exec(url) ?? []
  const path = rest === '' || rest.startsWith('?') ? `/${rest}` : rest
  return [
    directive('proxy_http_version', '1.1'),
    directive('proxy_set_header', 'Connection', literal('')),
    directive('proxy_ssl_name', literal(value.endpoint.address)),
    directive('set', '$auth_upstream', literal(value.backend)),
    directive('set', '$auth_target', interpolated(`${scheme}://${value.upstream}${path}`)),
  ]
}
