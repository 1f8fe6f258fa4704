// backend-protocol, fastcgi-index, fastcgi-params-configmap, upstream-vhost, connection-proxy-header: how the request
// to the backend is spelled. Source: ingress-nginx 1.15 annotations/{backendprotocol,fastcgi,upstreamvhost,connection}.

import { type ConfigNode, directive, interpolated, word } from '../config/node.ts'
import { defaultBackendName } from '../model/backend.ts'
import {
  at,
  defineAnnotation,
  defineFamily,
  type Family,
  type Placed,
  perRoute,
  referenceOf,
  requestHeader,
} from './define.ts'
import { basic, hostWithVariables, oneOf, textOf } from './values.ts'
import { unknownVariable, withKnownVariables } from './variables.ts'

/** Protocol towards the backend. */
export type BackendProtocol = 'HTTP' | 'HTTPS' | 'AUTO_HTTP' | 'GRPC' | 'GRPCS' | 'FCGI'

/** See the file header. */
export interface Upstreaming {
  readonly protocol: BackendProtocol
  readonly host: string | undefined
  readonly connection: string | undefined
  readonly fastcgiIndex: string | undefined
  readonly fastcgiParams: readonly (readonly [name: string, value: string])[]
}

const backendProtocol = defineAnnotation({
  names: ['backend-protocol'],
  group: 'proxy',
  scope: 'location',
  risk: 'Low',
  value: oneOf(['HTTP', 'HTTPS', 'AUTO_HTTP', 'GRPC', 'GRPCS', 'FCGI'], { ignoreCase: true }),
  invalid: 'ignore',
  fallback: 'HTTP',
  summary: 'protocol towards the backend',
  tier: 1,
})

const upstreamVhost = defineAnnotation({
  names: ['upstream-vhost'],
  group: 'balancing',
  scope: 'location',
  risk: 'Low',
  value: hostWithVariables,
  invalid: 'refuse',
  fallback: 'the host that the client asked for',
  summary: 'sends this Host header to the backend; nginx variables expand',
  tier: 1,
})

const connectionProxyHeader = defineAnnotation({
  names: ['connection-proxy-header'],
  group: 'headers',
  scope: 'location',
  risk: 'Low',
  value: oneOf(['close', 'keep-alive']),
  invalid: 'refuse',
  fallback: 'as keep-alive and websockets need it',
  summary: 'sends this Connection header to the backend',
  tier: 3,
})

const fastcgiIndex = defineAnnotation({
  names: ['fastcgi-index'],
  group: 'proxy',
  scope: 'location',
  risk: 'Medium',
  value: textOf(/^[A-Za-z0-9.\-_]+$/, 'a file name'),
  invalid: 'refuse',
  fallback: 'none',
  summary: 'file that FastCGI gets for a path that ends in a slash',
  tier: 3,
})

const fastcgiParamsConfigMap = defineAnnotation({
  names: ['fastcgi-params-configmap'],
  group: 'proxy',
  scope: 'location',
  risk: 'Medium',
  value: basic,
  invalid: 'refuse',
  fallback: 'no further parameters',
  summary: 'ConfigMap of further FastCGI parameters',
  tier: 3,
})

const parameterName = /^[A-Za-z0-9.\-_]+$/
const parameterValue = textOf(/^(?:[A-Za-z0-9\-_/.]|\$(?=[a-z_])|\$\{[a-z_][a-z0-9_]*\})*$/, 'a parameter')

function isParameter(value: string): boolean {
  return parameterValue.parse(value) !== undefined && unknownVariable(value) === undefined
}

/** See the file header. */
export const upstreaming: Family<Upstreaming> = defineFamily({
  name: 'upstreaming',
  annotations: [backendProtocol, upstreamVhost, connectionProxyHeader, fastcgiIndex, fastcgiParamsConfigMap],
  resolve: (read, context) => {
    const protocol = read(backendProtocol) ?? 'HTTP'
    const configMap = read(fastcgiParamsConfigMap)
    const base = {
      protocol,
      host: withKnownVariables(upstreamVhost, read(upstreamVhost), context),
      connection: read(connectionProxyHeader),
      fastcgiIndex: read(fastcgiIndex),
    }
    if (configMap === undefined) return { ...base, fastcgiParams: [] }
    const { namespace, name } = referenceOf(configMap, context.namespace)
    if (namespace !== context.namespace && !context.settings['allow-cross-namespace-resources']) {
      if (protocol === 'FCGI') context.deny(fastcgiParamsConfigMap, 'the ConfigMap is in another namespace')
      return { ...base, fastcgiParams: [] }
    }
    // COMPAT: it is read whatever the protocol (fastcgi/main.go Parse).
    const found = context.snapshot.configMaps.get(name, namespace)
    if (found === undefined) context.deny(fastcgiParamsConfigMap, 'the ConfigMap does not exist')
    const entries = Object.entries(found?.data ?? {})
    const isGood = entries.every(([key, value]) => parameterName.test(key) && isParameter(value))
    if (!isGood)
      context.refuse(fastcgiParamsConfigMap, 'the ConfigMap holds a name or value that is no FastCGI parameter')
    const isSent = isGood && protocol === 'FCGI'
    return { ...base, fastcgiParams: isSent ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : [] }
  },
  render: (value, { location, options }) => {
    const placed: Placed[] = [at('pass', ...renderPass(value, location.route.backend, options.balancing))]
    if (value.host !== undefined) placed.push(requestHeader('Host', perRoute('route_vhost', interpolated(value.host))))
    if (value.connection !== undefined) placed.push(requestHeader('Connection', word(value.connection)))
    return placed
  },
})

/** Whether the location speaks gRPC to its backend. The default backend is always plain HTTP. */
export function speaksGrpc(value: Upstreaming, backend: string): boolean {
  return backend !== defaultBackendName && (value.protocol === 'GRPC' || value.protocol === 'GRPCS')
}

function renderPass(value: Upstreaming, backend: string, balancing: 'dynamic' | 'static'): ConfigNode[] {
  const target = balancing === 'dynamic' ? 'upstream_balancer' : '$proxy_upstream_name'
  const protocol = backend === defaultBackendName ? 'HTTP' : value.protocol
  switch (protocol) {
    case 'HTTP':
      return [directive('proxy_pass', `http://${target}`)]
    case 'HTTPS':
      return [directive('proxy_pass', `https://${target}`)]
    case 'AUTO_HTTP':
      return [directive('proxy_pass', `$scheme://${target}`)]
    case 'GRPC':
      return [directive('grpc_pass', `grpc://${target}`)]
    case 'GRPCS':
      return [directive('grpc_pass', `grpcs://${target}`)]
    case 'FCGI':
      return renderFastcgi(value, target)
  }
}

function renderFastcgi(value: Upstreaming, target: string): ConfigNode[] {
  return [
    ...fastcgiParams.map(([name, text]) => directive('fastcgi_param', name, interpolated(text))),
    directive('fastcgi_param', 'HTTPS', '$https', 'if_not_empty'),
    ...value.fastcgiParams.map(([name, text]) => directive('fastcgi_param', interpolated(name), interpolated(text))),
    ...(value.fastcgiIndex === undefined ? [] : [directive('fastcgi_index', interpolated(value.fastcgiIndex))]),
    directive('fastcgi_pass', target),
  ]
}

/** What nginx's own `fastcgi_params` file holds. */
const fastcgiParams: readonly (readonly [string, string])[] = [
  ['QUERY_STRING', '$query_string'],
  ['REQUEST_METHOD', '$request_method'],
  ['CONTENT_TYPE', '$content_type'],
  ['CONTENT_LENGTH', '$content_length'],
  ['SCRIPT_NAME', '$fastcgi_script_name'],
  ['REQUEST_URI', '$request_uri'],
  ['DOCUMENT_URI', '$document_uri'],
  ['DOCUMENT_ROOT', '$document_root'],
  ['SERVER_PROTOCOL', '$server_protocol'],
  ['REQUEST_SCHEME', '$scheme'],
  ['GATEWAY_INTERFACE', 'CGI/1.1'],
  ['SERVER_SOFTWARE', 'nginx/$nginx_version'],
  ['REMOTE_ADDR', '$remote_addr'],
  ['REMOTE_PORT', '$remote_port'],
  ['SERVER_ADDR', '$server_addr'],
  ['SERVER_PORT', '$server_port'],
  ['SERVER_NAME', '$server_name'],
  ['REDIRECT_STATUS', '200'],
]
