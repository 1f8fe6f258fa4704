// auth-tls-*: certificates that clients must show. Applies to whole hosts; whatever is wrong with the Secret answers
// 403 to everything on the host. Source: ingress-nginx 1.15 annotations/authtls.

import { word } from '../config/node.ts'
import type { ClientAuth } from '../model/server.ts'
import { decodeBase64 } from '../translate/base64.ts'
import { pemBlocks } from '../translate/certificate.ts'
import { compiles } from './compiles.ts'
import {
  defineAnnotation,
  defineFamily,
  type Family,
  type ResolveContext,
  referenceOf,
  requestHeader,
} from './define.ts'
import { basic, flag, integer, isQualifiedName, oneOf, textOf } from './values.ts'

const authTlsSecret = defineAnnotation({
  names: ['auth-tls-secret'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: basic,
  invalid: 'refuse',
  fallback: 'no client certificates',
  summary: 'Secret with the authorities (ca.crt) of client certificates',
  tier: 1,
})

const authTlsVerifyClient = defineAnnotation({
  names: ['auth-tls-verify-client'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: oneOf(['on', 'off', 'optional', 'optional_no_ca']),
  // The original takes "on" for a bad value; a typo of "optional" would lock everybody out without a word.
  invalid: 'refuse',
  fallback: 'on',
  summary: 'how strict the check is',
  tier: 1,
})

const authTlsVerifyDepth = defineAnnotation({
  names: ['auth-tls-verify-depth'],
  group: 'access',
  scope: 'location',
  risk: 'Low',
  value: integer,
  invalid: 'ignore',
  fallback: '1',
  summary: 'longest chain of certificates',
  tier: 2,
})

const authTlsErrorPage = defineAnnotation({
  names: ['auth-tls-error-page'],
  group: 'access',
  scope: 'location',
  risk: 'High',
  value: textOf(
    /^(?=.)(?:@[A-Za-z0-9_-]+|(?:(?:https?:\/\/)?[A-Za-z0-9\-.]+(?::[0-9]{1,5})?)?(?:\/[A-Za-z0-9\-_.]+)*\/?)$/,
    'a URL, a path or @name',
  ),
  invalid: 'refuse',
  fallback: 'status 400',
  summary: 'page for clients whose certificate is missing or bad',
  tier: 2,
})

const authTlsPassCertificate = defineAnnotation({
  names: ['auth-tls-pass-certificate-to-upstream'],
  group: 'access',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'false',
  summary: 'sends the certificate to the backend in ssl-client-cert',
  tier: 2,
})

const authTlsMatchCn = defineAnnotation({
  names: ['auth-tls-match-cn'],
  group: 'access',
  scope: 'location',
  risk: 'High',
  value: {
    expected: 'CN= and a regular expression',
    parse: (text) => (text.startsWith('CN=') && text.length > 3 && compiles(text.slice(3)) ? text : undefined),
  },
  invalid: 'refuse',
  fallback: 'any subject',
  summary: 'expression that the subject must match, else 403',
  tier: 3,
})

/** See the file header; `undefined` where the Ingress asks for no certificates. */
export const clientCertificates: Family<ClientAuth | undefined> = defineFamily({
  name: 'client-certificates',
  annotations: [
    authTlsSecret,
    authTlsVerifyClient,
    authTlsVerifyDepth,
    authTlsErrorPage,
    authTlsPassCertificate,
    authTlsMatchCn,
  ],
  resolve: (read, context): ClientAuth | undefined => {
    const name = read(authTlsSecret)
    if (name === undefined) return undefined
    if (!isQualifiedName(name)) {
      const reason = 'expected namespace/name'
      context.deny(authTlsSecret, reason, 'the hosts of the Ingress answer 403')
      return { kind: 'denied', reason }
    }
    const wanted = {
      verifyClient: read(authTlsVerifyClient) ?? 'on',
      depth: Math.max(read(authTlsVerifyDepth) || 1, 1),
      errorPage: read(authTlsErrorPage),
      passCertificate: read(authTlsPassCertificate) ?? false,
      matchCn: read(authTlsMatchCn),
    } as const
    const authority = readAuthority(name, context)
    if (typeof authority === 'string') {
      context.deny(authTlsSecret, authority, 'the hosts of the Ingress answer 403')
      return { kind: 'denied', reason: authority }
    }
    const crlFile = authority.crl === undefined ? undefined : context.addFile('crl', authority.crl)
    return { kind: 'verify', caFile: context.addFile('ca', authority.ca), crlFile, ...wanted }
  },
  render: (_, { server }) => {
    const auth = server.clientAuth
    if (auth?.kind !== 'verify') return []
    return [
      ...(auth.passCertificate ? [requestHeader('ssl-client-cert', word('$ssl_client_escaped_cert'))] : []),
      requestHeader('ssl-client-verify', word('$ssl_client_verify')),
      requestHeader('ssl-client-subject-dn', word('$ssl_client_s_dn')),
      requestHeader('ssl-client-issuer-dn', word('$ssl_client_i_dn')),
    ]
  },
})

function readAuthority(name: string, context: ResolveContext): { ca: string; crl: string | undefined } | string {
  const reference = referenceOf(name, context.namespace)
  if (reference.namespace !== context.namespace && !context.settings['allow-cross-namespace-resources']) {
    return 'the Secret is in another namespace'
  }
  const data = context.snapshot.secrets.get(reference.name, reference.namespace)?.data
  if (data === undefined) return 'the Secret does not exist'
  const ca = decodeBase64(data['ca.crt'])
  if (ca === undefined || pemBlocks(ca, /CERTIFICATE$/).length === 0) return 'the Secret has no ca.crt'
  const crl = decodeBase64(data['ca.crl'])
  if (crl !== undefined && pemBlocks(crl, /CRL$/).length === 0) return 'ca.crl of the Secret is no revocation list'
  return { ca, crl }
}
