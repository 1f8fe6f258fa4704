// What Ingresses ask of a whole host: the first that sets something wins.

import { clientCertificates } from '../annotations/client-certificates.ts'
import { featureOf } from '../annotations/define.ts'
import { proxyTls } from '../annotations/proxy-tls.ts'
import { serverWishes } from '../annotations/server.ts'
import { snippets } from '../annotations/snippets.ts'
import type { FeatureValues } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import type { ReadIngress } from './drafts.ts'
import { oncePerObject } from './once-per-object.ts'

/** Settings of a whole host, as the model has them. */
export type HostWishes = Pick<Server, 'clientAuth' | 'ciphers' | 'prefersServerCiphers' | 'proxyTls' | 'snippet'> & {
  readonly wantsPassthrough: boolean
}

/** The wishes of all Ingresses of a host, oldest first; one whose authority cannot be used closes the whole host. */
export function joinedWishes(ingresses: readonly ReadIngress[]): HostWishes {
  const all = ingresses.map(({ features }) => wishesOf(features))
  const [only] = all
  if (only !== undefined && all.length === 1) return only
  const auths = all.map(({ clientAuth }) => clientAuth).filter((auth) => auth !== undefined)
  return {
    clientAuth: auths.find(({ kind }) => kind === 'denied') ?? auths[0],
    ciphers: firstOf(all, (one) => one.ciphers),
    prefersServerCiphers: firstOf(all, (one) => one.prefersServerCiphers),
    proxyTls: firstOf(all, (one) => one.proxyTls),
    snippet: firstOf(all, (one) => one.snippet),
    wantsPassthrough: all.some((one) => one.wantsPassthrough),
  }
}

/** What one Ingress asks of its hosts. Thousands have the same values. */
const wishesOf = oncePerObject((features: FeatureValues): HostWishes => {
  const { ciphers, prefersServerCiphers, passthrough } = featureOf(features, serverWishes)
  const tls = featureOf(features, proxyTls)
  return {
    clientAuth: featureOf(features, clientCertificates),
    ciphers,
    prefersServerCiphers,
    proxyTls: tls?.caFile === undefined ? undefined : tls,
    snippet: featureOf(features, snippets).server,
    wantsPassthrough: passthrough,
  }
})

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item)
    if (value !== undefined) return value
  }
  return undefined
}
