// Reads a certificate (RFC 5280) and tells whether it covers a host and whether a key belongs to it. Verifies nothing:
// clients do that; we only choose what to serve.

import type { CertificateFacts } from '../model/tls.ts'
import { decodeBase64Bytes } from './base64.ts'
import { childrenOf, type DerElement, readElements, readOid, readText, readTime } from './der.ts'

/** The DER bodies of the PEM blocks with this label, in order. */
export function pemBlocks(pem: string, label: RegExp): Uint8Array[] {
  const blocks = pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+?)-----END \1-----/g)
  return [...blocks]
    .filter(([, name = '']) => label.test(name))
    .map(([, , body = '']) => decodeBase64Bytes(body))
    .filter((bytes) => bytes !== undefined)
}

/** Facts of the first certificate in `pem`; `undefined` when there is none that can be read. */
export function readCertificate(pem: string): CertificateFacts | undefined {
  try {
    return factsOf(tbsOf(pem))
  } catch {
    return undefined
  }
}

/**
 * Whether `keyPem` holds the private key of the first certificate. A key that does not carry its public half (some
 * EC keys) is taken on trust; nginx then refuses the pair itself.
 */
export function keyMatches(certificatePem: string, keyPem: string): boolean {
  try {
    const [key] = pemBlocks(keyPem, /PRIVATE KEY$/)
    if (key === undefined || /ENCRYPTED/.test(keyPem)) return false
    const publicBits = (childrenOf(publicKeyInfo(tbsOf(certificatePem)))[1]?.content ?? new Uint8Array()).subarray(1)
    return holdsPublicHalf(childrenOf(readElements(key)[0]), publicBits)
  } catch {
    return false
  }
}

/** Whether the certificate is valid for `host` by its alternative names, else by its common name. */
export function coversHost(facts: CertificateFacts, host: string): boolean {
  if (listsHost(facts, host)) return true
  return facts.commonName !== undefined && matchesName(facts.commonName.toLowerCase(), hostText(host))
}

/** Whether one of the alternative names does, as Go looks at nothing else. */
export function listsHost(facts: CertificateFacts, host: string): boolean {
  const name = hostText(host)
  return facts.ipAddresses.includes(name) || facts.dnsNames.some((pattern) => matchesName(pattern.toLowerCase(), name))
}

function hostText(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

/** RFC 6125 as Go reads it: a `*` stands for the whole first label. */
function matchesName(pattern: string, host: string): boolean {
  if (pattern === host) return true
  if (!pattern.startsWith('*.')) return false
  const dot = host.indexOf('.')
  return dot > 0 && host.slice(dot) === pattern.slice(1)
}

function tbsOf(pem: string): DerElement[] {
  const [certificate] = pemBlocks(pem, /^(?:X509 |TRUSTED )?CERTIFICATE$/)
  if (certificate === undefined) throw new RangeError('no certificate')
  const fields = childrenOf(childrenOf(readElements(certificate)[0])[0])
  // The version is optional and tagged [0]; without it fields are one place earlier.
  return fields[0]?.tag === 0xa0 ? fields.slice(1) : fields
}

function factsOf(fields: readonly DerElement[]): CertificateFacts {
  const [serial, , issuer, validity, subject] = fields
  const [notBefore, notAfter] = childrenOf(validity)
  const names = alternativeNames(fields)
  const facts: CertificateFacts = {
    commonName: attribute(subject, '2.5.4.3'),
    ...names,
    notBeforeMs: readTime(notBefore),
    notAfterMs: readTime(notAfter),
    serialNumber: BigInt(`0x${hex(serial?.content ?? new Uint8Array()) || '0'}`).toString(),
    issuerCommonName: attribute(issuer, '2.5.4.3') ?? '',
    issuerOrganization: attribute(issuer, '2.5.4.10') ?? '',
    publicKeyAlgorithm: algorithmOf(publicKeyInfo(fields)),
  }
  if (Number.isNaN(facts.notAfterMs)) throw new RangeError('no validity')
  return facts
}

function publicKeyInfo(fields: readonly DerElement[]): DerElement | undefined {
  return fields[5]
}

function algorithmOf(info: DerElement | undefined): CertificateFacts['publicKeyAlgorithm'] {
  const oid = readOid(childrenOf(childrenOf(info)[0])[0])
  if (oid === '1.2.840.113549.1.1.1') return 'RSA'
  if (oid === '1.2.840.10045.2.1') return 'ECDSA'
  return oid === '1.3.101.112' ? 'Ed25519' : 'unknown'
}

function attribute(name: DerElement | undefined, oid: string): string | undefined {
  for (const set of childrenOf(name)) {
    for (const pair of childrenOf(set)) {
      const [type, value] = childrenOf(pair)
      if (readOid(type) === oid) return readText(value)
    }
  }
  return undefined
}

function alternativeNames(fields: readonly DerElement[]): Pick<CertificateFacts, 'dnsNames' | 'ipAddresses'> {
  const extensions = childrenOf(childrenOf(fields.find(({ tag }) => tag === 0xa3))[0])
  for (const extension of extensions) {
    const parts = childrenOf(extension)
    if (readOid(parts[0]) !== '2.5.29.17') continue
    const names = childrenOf(childrenOf(parts.at(-1))[0])
    return {
      dnsNames: names.filter(({ tag }) => tag === 0x82).map(readText),
      ipAddresses: names
        .filter(({ tag, content }) => tag === 0x87 && content.length === 4)
        .map((n) => n.content.join('.')),
    }
  }
  return { dnsNames: [], ipAddresses: [] }
}

/** `fields` are those of a PKCS#8, PKCS#1 (RSA) or SEC1 (EC) key. */
function holdsPublicHalf(fields: readonly DerElement[], publicBits: Uint8Array): boolean {
  const [version, second, third] = fields
  if (version === undefined || second === undefined) return false
  // PKCS#8: version, algorithm, OCTET STRING with the key proper.
  if (second.tag === 0x30 && third?.tag === 0x04) {
    const inner = third.content
    // Ed25519 and the like: the key proper is an OCTET STRING and has no public half.
    return inner[0] === 0x30 ? holdsPublicHalf(childrenOf(readElements(inner)[0]), publicBits) : true
  }
  if (second.tag === 0x02) {
    // PKCS#1: version, modulus; the public key is SEQUENCE { modulus, exponent }.
    const modulus = childrenOf(readElements(publicBits)[0])[0]
    return modulus !== undefined && hex(modulus.content) === hex(second.content)
  }
  // SEC1: version, OCTET STRING, [0] parameters, [1] BIT STRING with the public key.
  const publicKey = fields.find(({ tag }) => tag === 0xa1)
  return (
    publicKey === undefined || hex((childrenOf(publicKey)[0]?.content ?? publicBits).subarray(1)) === hex(publicBits)
  )
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
