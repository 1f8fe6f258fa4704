// Annotations of whole hosts: server-alias, ssl-ciphers, ssl-prefer-server-ciphers, ssl-passthrough, http2-push-preload.
// The first Ingress of a host that sets one wins (translate/servers.ts).

import { directive } from '../config/node.ts'
import { at, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag, listOf, serverName, textOf } from './values.ts'

/** What an Ingress wants of its hosts. */
export interface ServerWishes {
  readonly aliases: readonly string[]
  readonly ciphers: string | undefined
  readonly prefersServerCiphers: boolean | undefined
  readonly passthrough: boolean
}

const serverAlias = defineAnnotation({
  names: ['server-alias'],
  group: 'routing',
  scope: 'ingress',
  risk: 'High',
  value: listOf(serverName),
  invalid: 'refuse',
  fallback: 'no further names',
  summary: 'further names of the host; ~ begins an expression',
  tier: 1,
})

const sslCiphers = defineAnnotation({
  names: ['ssl-ciphers'],
  group: 'tls',
  scope: 'ingress',
  risk: 'Low',
  value: textOf(/^(?:[A-Za-z0-9!:+\-_]|@STRENGTH|@SECLEVEL=[0-5])+$/, 'an OpenSSL cipher list'),
  invalid: 'refuse',
  fallback: 'the ConfigMap value',
  summary: 'ciphers of the host',
  tier: 3,
})

const sslPreferServerCiphers = defineAnnotation({
  names: ['ssl-prefer-server-ciphers'],
  group: 'tls',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'as everywhere',
  summary: 'lets the server choose among common ciphers',
  tier: 3,
})

const sslPassthrough = defineAnnotation({
  names: ['ssl-passthrough'],
  group: 'tls',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'false',
  summary: 'hands TLS through to the Service by server name',
  tier: 2,
})

/** See the file header. */
export const serverWishes: Family<ServerWishes> = defineFamily({
  name: 'server',
  annotations: [serverAlias, sslCiphers, sslPreferServerCiphers, sslPassthrough],
  resolve: (read) => ({
    aliases: read(serverAlias) ?? [],
    ciphers: read(sslCiphers),
    prefersServerCiphers: read(sslPreferServerCiphers),
    passthrough: read(sslPassthrough) ?? false,
  }),
})

const http2PushPreload = defineAnnotation({
  names: ['http2-push-preload'],
  group: 'tls',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'false',
  summary: 'pushes what a Link header with preload names, over HTTP/2',
  tier: 3,
})

/** `http2_push_preload`. */
export const http2Push: Family<boolean> = defineFamily({
  name: 'http2-push',
  annotations: [http2PushPreload],
  resolve: (read) => read(http2PushPreload) ?? false,
  render: (on) => (on ? [at('response', directive('http2_push_preload', 'on'))] : []),
})
