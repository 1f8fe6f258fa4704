// proxy-ssl-*: TLS towards the backend with a client certificate and an authority. Without proxy-ssl-secret the group
// has no effect. Source: ingress-nginx 1.15 annotations/proxyssl.

import { type ConfigNode, type Directive, directive, interpolated, literal } from '../config/node.ts'
import type { ProxyTls } from '../model/server.ts'
import { decodeBase64 } from '../translate/base64.ts'
import { keyMatches, pemBlocks } from '../translate/certificate.ts'
import { at, defineAnnotation, defineFamily, type Family, type ResolveContext, referenceOf } from './define.ts'
import { basic, hostWithVariables, integer, isQualifiedName, onOff, textOf } from './values.ts'
import { withKnownVariables } from './variables.ts'

const common = { group: 'proxy', scope: 'ingress', invalid: 'ignore' } as const

const proxySslSecret = defineAnnotation({
  ...common,
  names: ['proxy-ssl-secret'],
  risk: 'Medium',
  value: basic,
  invalid: 'refuse',
  fallback: 'the group has no effect',
  summary: 'Secret with tls.crt, tls.key and ca.crt for https backends',
  tier: 2,
})

const proxySslCiphers = defineAnnotation({
  ...common,
  names: ['proxy-ssl-ciphers'],
  risk: 'Medium',
  value: textOf(/^[A-Za-z0-9+:_\-!]+$/, 'an OpenSSL cipher list'),
  fallback: 'DEFAULT',
  summary: 'ciphers towards the backend',
  tier: 3,
})

const proxySslProtocols = defineAnnotation({
  ...common,
  names: ['proxy-ssl-protocols'],
  risk: 'Low',
  value: textOf(/^TLSv1\.[23](?: TLSv1\.[23])*$/, 'TLSv1.2 and TLSv1.3'),
  fallback: 'TLSv1.2',
  summary: 'TLS versions towards the backend',
  tier: 3,
})

const proxySslName = defineAnnotation({
  ...common,
  names: ['proxy-ssl-name'],
  risk: 'High',
  value: hostWithVariables,
  fallback: 'the name of the backend',
  summary: 'name to verify and to send as SNI',
  tier: 2,
})

const proxySslServerName = defineAnnotation({
  ...common,
  names: ['proxy-ssl-server-name'],
  risk: 'Low',
  value: onOff,
  fallback: 'off',
  summary: 'sends SNI to the backend',
  tier: 2,
})

const proxySslVerify = defineAnnotation({
  ...common,
  names: ['proxy-ssl-verify'],
  risk: 'Low',
  value: onOff,
  fallback: 'off',
  summary: 'verifies the certificate of the backend',
  tier: 2,
})

const proxySslVerifyDepth = defineAnnotation({
  ...common,
  names: ['proxy-ssl-verify-depth'],
  risk: 'Low',
  value: integer,
  fallback: '1',
  summary: 'longest chain of certificates',
  tier: 3,
})

/** See the file header; `undefined` without a Secret. */
export const proxyTls: Family<ProxyTls | undefined> = defineFamily({
  name: 'proxy-tls',
  annotations: [
    proxySslSecret,
    proxySslCiphers,
    proxySslProtocols,
    proxySslName,
    proxySslServerName,
    proxySslVerify,
    proxySslVerifyDepth,
  ],
  resolve: (read, context) => {
    const name = read(proxySslSecret)
    if (name === undefined) return undefined
    const files = readFiles(name, context)
    if (typeof files === 'string') {
      context.deny(proxySslSecret, files)
      return undefined
    }
    return {
      caFile: files.ca === undefined ? undefined : context.addFile('ca', files.ca),
      pairFile: files.pair === undefined ? undefined : context.addFile('pair', files.pair),
      ciphers: read(proxySslCiphers) ?? 'DEFAULT',
      protocols: (read(proxySslProtocols) ?? 'TLSv1.2').split(' ').sort().join(' '),
      verify: read(proxySslVerify) === 'on',
      verifyDepth: Math.max(read(proxySslVerifyDepth) || 1, 1),
      name: withKnownVariables(proxySslName, read(proxySslName), context),
      serverName: read(proxySslServerName) === 'on',
    }
  },
  render: (value, { filePath, setHeader }) =>
    value === undefined ? [] : [at('pass', ...renderProxyTls(value, filePath, setHeader === 'grpc_set_header'))],
})

/** Directives of TLS towards the backends of a whole host. COMPAT: without a name nothing is said of SNI (template, SERVER). */
export function renderServerProxyTls(value: ProxyTls, filePath: (name: string) => string): ConfigNode[] {
  const nodes = renderProxyTls(value, filePath, false)
  return value.name === undefined ? nodes.filter(({ name }) => name !== 'proxy_ssl_server_name') : nodes
}

/** Directives of TLS towards the backend of a location; gRPC has a set of its own. */
function renderProxyTls(value: ProxyTls, filePath: (name: string) => string, isGrpc: boolean): Directive[] {
  const prefix = isGrpc ? 'grpc_ssl' : 'proxy_ssl'
  const nodes: Directive[] = []
  if (value.caFile !== undefined) {
    nodes.push(
      directive(`${prefix}_trusted_certificate`, literal(filePath(value.caFile))),
      directive(`${prefix}_ciphers`, literal(value.ciphers)),
      directive(`${prefix}_protocols`, ...value.protocols.split(' ').map(literal)),
      directive(`${prefix}_verify`, value.verify ? 'on' : 'off'),
      directive(`${prefix}_verify_depth`, value.verifyDepth),
    )
  }
  if (value.name !== undefined) nodes.push(directive(`${prefix}_name`, interpolated(value.name)))
  nodes.push(directive(`${prefix}_server_name`, value.serverName ? 'on' : 'off'))
  if (value.pairFile !== undefined) {
    const file = literal(filePath(value.pairFile))
    nodes.push(directive(`${prefix}_certificate`, file), directive(`${prefix}_certificate_key`, file))
  }
  return nodes
}

function readFiles(
  name: string,
  context: ResolveContext,
): { ca: string | undefined; pair: string | undefined } | string {
  if (!isQualifiedName(name)) return 'expected namespace/name'
  const reference = referenceOf(name, context.namespace)
  if (reference.namespace !== context.namespace && !context.settings['allow-cross-namespace-resources']) {
    return 'the Secret is in another namespace'
  }
  const data = context.snapshot.secrets.get(reference.name, reference.namespace)?.data
  if (data === undefined) return 'the Secret does not exist'
  const certificate = decodeBase64(data['tls.crt'])
  const key = decodeBase64(data['tls.key'])
  const ca = decodeBase64(data['ca.crt'])
  if (ca !== undefined && pemBlocks(ca, /CERTIFICATE$/).length === 0) return 'ca.crt of the Secret is no certificate'
  if (certificate === undefined || key === undefined) {
    return ca === undefined ? 'the Secret has neither ca.crt nor tls.crt and tls.key' : { ca, pair: undefined }
  }
  if (!keyMatches(certificate, key)) return 'tls.key of the Secret does not belong to tls.crt'
  return { ca, pair: `${certificate.trimEnd()}\n${key.trimEnd()}\n` }
}
