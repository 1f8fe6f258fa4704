// Objects on their way to the page: private keys, passwords and tokens of Secrets stay behind. What the ingress
// translation asks of a key, whether it belongs to the certificate, is answered by its public half.

import { createPublicKey } from 'node:crypto'
import type { KubeObject, Secret } from '@kubewire/kube-model'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

// Keys of Secrets that hold nothing secret: certificates, revocation lists, Diffie-Hellman parameters.
const publicKeys: ReadonlySet<string> = new Set(['tls.crt', 'ca.crt', 'ca.crl', 'dhparam.pem'])

const hidden = Buffer.from('hidden\n').toString('base64')

/** The object without secrets; the same value where it holds none. */
export function redactObject(object: KubeObject): KubeObject {
  const shown = withoutLastApplied(object)
  if (shown.kind !== 'Secret' || (shown.apiVersion ?? 'v1') !== 'v1') return shown
  const { stringData, ...secret } = shown as Secret & { readonly stringData?: Readonly<Record<string, string>> }
  const texts = Object.entries(stringData ?? {}).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  )
  const data = { ...secret.data, ...Object.fromEntries(texts) }
  return { ...secret, data: Object.fromEntries(Object.entries(data).map(redactEntry)) } as KubeObject
}

function redactEntry([key, base64]: readonly [string, string]): readonly [string, string] {
  if (publicKeys.has(key)) return [key, base64]
  if (key === 'tls.key') return [key, publicHalf(base64)]
  return [key, hidden]
}

/** A key file with nothing but the public half, in the shape of RSA (PKCS#1) or EC (SEC1) keys; `hidden` for others. */
function publicHalf(base64: string): string {
  try {
    const pem = Buffer.from(base64, 'base64').toString('latin1')
    const info = createPublicKey(pem).export({ type: 'spki', format: 'der' })
    const bits = bitStringOf(info)
    const isRsa = createPublicKey(pem).asymmetricKeyType === 'rsa'
    const der = isRsa
      ? der30(der02(0), firstInteger(bits))
      : der30(der02(1), tlv(0x04, Buffer.alloc(0)), tlv(0xa1, tlv(0x03, Buffer.concat([Buffer.of(0), bits]))))
    const body = der.toString('base64').replaceAll(/(.{64})/g, '$1\n')
    const label = isRsa ? 'RSA PRIVATE KEY' : 'EC PRIVATE KEY'
    return Buffer.from(`-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`).toString('base64')
  } catch {
    return hidden
  }
}

// SubjectPublicKeyInfo is SEQUENCE { algorithm, BIT STRING }: the bits are its last part.
function bitStringOf(info: Buffer): Buffer {
  const outer = content(info)
  const algorithm = lengthOf(outer)
  return content(outer.subarray(algorithm)).subarray(1)
}

// The public key of RSA is SEQUENCE { modulus, exponent }.
function firstInteger(bits: Buffer): Buffer {
  const inner = content(bits)
  return inner.subarray(0, lengthOf(inner))
}

/** Bytes of the first element with its head. */
function lengthOf(der: Buffer): number {
  const first = der[1] ?? 0
  if (first < 0x80) return 2 + first
  const bytes = first & 0x7f
  return 2 + bytes + der.readUIntBE(2, bytes)
}

function content(der: Buffer): Buffer {
  const first = der[1] ?? 0
  return der.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f), lengthOf(der))
}

function der30(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts))
}

function der02(value: number): Buffer {
  return tlv(0x02, Buffer.of(value))
}

function tlv(tag: number, body: Buffer): Buffer {
  const { length } = body
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...head), body])
}

function withoutLastApplied(object: KubeObject): KubeObject {
  const { annotations } = object.metadata ?? {}
  if (annotations?.[lastApplied] === undefined) return object
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== lastApplied))
  return { ...object, metadata: { ...object.metadata, annotations: kept } }
}
