// Certificates of the model. Content is kept apart from servers: a renewal changes this part only, and reaches a
// running nginx through the dictionary of the data plane.

import type { ObjectRef } from '@kubewire/kube-model'

/** Id that stands for the default certificate. */
export const defaultCertificateId = 'default'

/** A certificate with its key. Never print `certificate` or `key`. */
export interface Certificate {
  /** Hash of the content. */
  readonly id: string
  readonly secret: ObjectRef
  /** PEM, the leaf first. */
  readonly certificate: string
  readonly key: string
  readonly facts: CertificateFacts
}

/** What is read from a certificate without checking a signature. */
export interface CertificateFacts {
  readonly commonName: string | undefined
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly serialNumber: string
  readonly issuerCommonName: string
  readonly issuerOrganization: string
  readonly publicKeyAlgorithm: 'RSA' | 'ECDSA' | 'Ed25519' | 'unknown'
}

/** All certificates in use. */
export interface TlsModel {
  /** `undefined`: none is configured; the daemon makes a self-signed one. */
  readonly defaultCertificate: Certificate | undefined
  /** By id, sorted. */
  readonly certificates: readonly Certificate[]
  /** Host or alias → certificate id (`default` for the default one). A host that is absent has no TLS. */
  readonly hosts: { readonly [host: string]: string }
}

/** A file the configuration refers to by name: content addressed, so that a changed Secret is a changed name. */
export interface ConfigFile {
  /** `passwd-HASH`, `ca-HASH.pem`, `pair-HASH.pem` …: constants and hashes, never a user's text. */
  readonly name: string
  readonly content: string
  /** How the bytes are spelled in `content`; absent is UTF-8 text. */
  readonly encoding?: 'base64'
  /** Whether only nginx may read it. */
  readonly isSecret: boolean
}
