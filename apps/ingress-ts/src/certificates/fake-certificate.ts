// The certificate that is served where no other is configured, with the original's names, uses and key (ingress-nginx
// 1.15 ssl.go, GetFakeSSLCert). Made at start, kept in memory and in the run directory. Written here because the start
// waits for it: the key is found by other threads, and nothing has to be loaded.

import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { der, derOid, derTag, derTime } from './encode-der.ts'

const { sequence, set, integer, bitString, octetString, boolean, utf8String } = derTag
const dayMs = 24 * 3600 * 1000

/** A self-signed certificate and its key as one PEM text, good for a year from `nowMs` (Unix time). */
export async function createFakeCertificate(nowMs: number): Promise<string> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const names = der(sequence, nameOf('2.5.4.10', 'Acme Co'), nameOf('2.5.4.3', commonName))
  const body = der(
    sequence,
    // Version 3.
    der(0xa0, der(integer, Buffer.from([2]))),
    serialNumber(),
    signatureAlgorithm,
    names,
    der(sequence, derTime(nowMs), derTime(nowMs + 365 * dayMs)),
    names,
    publicKey,
    der(0xa3, der(sequence, ...extensions)),
  )
  const signature = der(bitString, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = der(sequence, body, signatureAlgorithm, signature)
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n${privateKey.trim()}\n`
}

const commonName = 'Kubernetes Ingress Controller Fake Certificate'

/** sha256WithRSAEncryption. */
const signatureAlgorithm = der(sequence, derOid('1.2.840.113549.1.1.11'), der(derTag.null))

const extensions = [
  // Digital signature and key encipherment: the first and third of three bits.
  extension('2.5.29.15', true, der(bitString, Buffer.from([5, 0xa0]))),
  // For servers.
  extension('2.5.29.37', false, der(sequence, derOid('1.3.6.1.5.5.7.3.1'))),
  // Basic constraints: no authority.
  extension('2.5.29.19', true, der(sequence)),
  // Alternative name, of the kind that is a DNS name.
  extension('2.5.29.17', false, der(sequence, der(0x82, Buffer.from('ingress.local')))),
]

function extension(oid: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(boolean, Buffer.from([0xff]))] : []
  return der(sequence, derOid(oid), ...critical, der(octetString, value))
}

function nameOf(oid: string, text: string): Buffer {
  return der(set, der(sequence, derOid(oid), der(utf8String, Buffer.from(text))))
}

// Positive, and without leading zeros.
function serialNumber(): Buffer {
  return der(integer, Buffer.from([0x40 | (randomBytes(1).readUInt8() & 0x3f)]), randomBytes(15))
}
