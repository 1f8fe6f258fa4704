// Which certificate each host serves. What cannot be used falls back to the default certificate, with a problem.
// Source: ingress-nginx 1.15 controller.go createServers (SSL part) and extractTLSSecretName; reference: TLS.

import { compareText, type ObjectRef, type Problem, refOf, type Secret } from '@kubewire/kube-model'
import type { Server, WwwRedirect } from '../model/server.ts'
import { catchAllHost } from '../model/server.ts'
import { type Certificate, defaultCertificateId, type TlsModel } from '../model/tls.ts'
import { decodeBase64 } from './base64.ts'
import { coversHost, keyMatches, listsHost, readCertificate } from './certificate.ts'
import type { ReadContext, ReadIngress } from './drafts.ts'
import { hashText } from './hash.ts'
import { isSameList, oncePerObject } from './once-per-object.ts'
import type { TranslationMemory } from './translation-memory.ts'

/** Certificates by Secret, each read once. */
export interface CertificateStore {
  /** The certificate of a Secret, or why there is none. */
  read(namespace: string, name: string): Certificate | string
}

/** Reads Secrets on demand, so that only those that are referenced are ever looked at. */
export function createCertificateStore(context: ReadContext): CertificateStore {
  return {
    read: (namespace, name) => {
      const secret = context.snapshot.secrets.get(name, namespace)
      return secret === undefined ? 'the Secret does not exist' : readSecret(secret)
    },
  }
}

/** Id of the certificate that `host` serves; `undefined` when no Ingress of the host has a `tls` section. */
export function certificateOf(
  host: string,
  ingresses: readonly ReadIngress[],
  store: CertificateStore,
  problems: Problem[],
): Certificate | typeof defaultCertificateId | undefined {
  for (const one of ingresses) {
    const tls = one.ingress.spec?.tls ?? []
    if (tls.length === 0) continue
    const secret = secretFor(host, one, store)
    if (secret === undefined || secret === '') return defaultCertificateId
    const found = store.read(one.namespace, secret)
    const reason =
      typeof found === 'string' ? found : coversHost(found.facts, host) ? undefined : `it does not cover ${host}`
    if (reason === undefined) return found as Certificate
    problems.push(certificateProblem(one, host, secret, reason))
    return defaultCertificateId
  }
  return undefined
}

/** The certificates of all servers, aliases and redirects. */
export function tlsModel(
  servers: readonly { readonly server: Server; readonly certificate: Certificate | string | undefined }[],
  redirects: readonly { readonly redirect: WwwRedirect; readonly certificate: Certificate | string | undefined }[],
  defaultCertificate: Certificate | undefined,
  memory: TranslationMemory,
): TlsModel {
  const names: string[] = []
  const values: (Certificate | string)[] = []
  const add = (host: string, certificate: Certificate | string | undefined): void => {
    if (certificate === undefined) return
    names.push(host)
    values.push(certificate)
  }
  add(catchAllHost, defaultCertificateId)
  for (const { server, certificate } of servers) {
    add(server.host, certificate)
    for (const alias of server.aliases) add(alias, aliasCertificate(alias, certificate, defaultCertificate))
  }
  for (const { redirect, certificate } of redirects)
    add(redirect.from, aliasCertificate(redirect.from, certificate, defaultCertificate))
  const before = memory.tls
  const isKept = before !== undefined && isSameList(before.names, names) && isSameList(before.values, values)
  if (isKept && before.model.defaultCertificate === defaultCertificate) return before.model
  const hosts = new Map(names.map((name, at) => [name, idOf(values[at])]))
  const certificates = new Map(values.flatMap((value) => (typeof value === 'string' ? [] : [[value.id, value]])))
  const model: TlsModel = {
    defaultCertificate,
    certificates: [...certificates.values()].sort((a, b) => compareText(a.id, b.id)),
    hosts: Object.fromEntries([...hosts].sort(([a], [b]) => compareText(a, b))),
  }
  memory.tls = { names, values, model }
  return model
}

function idOf(certificate: Certificate | string | undefined): string {
  return typeof certificate === 'string' ? certificate : (certificate?.id ?? '')
}

/** Another name of a server has the certificate only where that covers it. */
function aliasCertificate(
  alias: string,
  certificate: Certificate | string | undefined,
  fallback: Certificate | undefined,
): Certificate | string | undefined {
  const found = typeof certificate === 'string' ? fallback : certificate
  return found !== undefined && coversHost(found.facts, alias) ? certificate : undefined
}

function secretFor(host: string, one: ReadIngress, store: CertificateStore): string | undefined {
  const tls = one.ingress.spec?.tls ?? []
  const listed = tls.find((entry) => entry.hosts?.some((name) => name.toLowerCase() === host.toLowerCase()))
  if (listed !== undefined) return listed.secretName ?? ''
  // COMPAT: here the Common Name does not count (extractTLSSecretName).
  const covering = tls.find(({ secretName }) => {
    const found = secretName ? store.read(one.namespace, secretName) : ''
    return typeof found !== 'string' && listsHost(found.facts, host)
  })
  return covering?.secretName
}

const readSecret = oncePerObject((secret: Secret): Certificate | string => {
  const certificate = decodeBase64(secret.data?.['tls.crt'])
  const key = decodeBase64(secret.data?.['tls.key'])
  if (certificate === undefined || key === undefined) return 'the Secret has no tls.crt and tls.key'
  const facts = readCertificate(certificate)
  if (facts === undefined) return 'tls.crt is no certificate'
  if (!keyMatches(certificate, key)) return 'tls.key does not belong to tls.crt'
  const { namespace = 'default', name = '' } = secret.metadata ?? {}
  const ref: ObjectRef = { kind: 'Secret', namespace, name }
  return { id: hashText(`${namespace}/${name}\0${certificate}\0${key}`), secret: ref, certificate, key, facts }
})

function certificateProblem(one: ReadIngress, host: string, secret: string, reason: string): Problem {
  return {
    code: 'NGX_CERTIFICATE',
    severity: 'warning',
    object: refOf(one.ingress, 'Ingress'),
    path: 'spec.tls',
    message: `Secret ${one.namespace}/${secret} cannot be used for ${host}: ${reason}`,
    fallback: 'the default certificate is served',
  }
}
