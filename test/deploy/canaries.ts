// Secret words that must never leave: each stands in one place where a daemon reads a secret, good ones and broken ones.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject, Secret } from '@kubewire/kube-model'

/** Place → word. */
export const canaries = {
  token: 'canary-token-9b1e',
  passwordFile: 'canary-password-41c7',
  brokenPasswordFile: 'canary-nopassword-77d2',
  brokenCertificate: 'canary-certificate-0d3a',
  brokenKey: 'canary-key-5f80',
  brokenAuthority: 'canary-authority-c2e4',
  brokenBase64: 'canary-base64-6a19',
} as const

/** What to search for: the words as written and as Secrets hold them, and lines of the good private key. */
export function forbiddenTexts(privateKey: string): readonly string[] {
  const words = Object.values(canaries)
  // Base64 of a word inside a longer text depends on where it begins; the middle of each of the three forms is enough.
  const encoded = words.flatMap((word) =>
    [0, 1, 2].map((shift) =>
      Buffer.from('x'.repeat(shift) + word)
        .toString('base64')
        .slice(4, 20),
    ),
  )
  const lines = privateKey.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'))
  return [...words, ...encoded, ...lines]
}

/** Which of the texts something holds. */
export function leaksIn(text: string, forbidden: readonly string[]): readonly string[] {
  return forbidden.filter((one) => text.includes(one))
}

/** A certificate and its key, PEM. */
export function makePair(host: string): { readonly cert: string; readonly key: string } {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-pair-'))
  const [cert, key] = [join(dir, 'cert'), join(dir, 'key')]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert]
  execFileSync('openssl', [...words, ...names], { stdio: 'ignore' })
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  rmSync(dir, { recursive: true })
  return pair
}

/** The Secrets of namespace `shop`. */
export function canarySecrets(pair: { readonly cert: string; readonly key: string }): readonly Secret[] {
  const pem = (kind: string, body: string): string => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`
  return [
    secret('good-tls', { 'tls.crt': pair.cert, 'tls.key': pair.key }),
    secret('bad-key', { 'tls.crt': pair.cert, 'tls.key': pem('PRIVATE KEY', canaries.brokenKey) }),
    secret('bad-cert', { 'tls.crt': pem('CERTIFICATE', canaries.brokenCertificate), 'tls.key': pair.key }),
    secret('bad-ca', { 'ca.crt': pem('CERTIFICATE', canaries.brokenAuthority) }),
    secret('users', { auth: `tea:{SHA}${canaries.passwordFile}\n` }),
    secret('bad-users', { passwords: `tea:{SHA}${canaries.brokenPasswordFile}\n` }),
  ]
}

/** A Secret whose data is no base64; only a broken server lets it in. */
export function brokenSecret(): KubeObject {
  const metadata = { name: 'bad-base64', namespace: 'shop', uid: '8a1d2c3e-0000-4000-8000-000000000001' }
  const data = { auth: `%%${canaries.brokenBase64}%%`, 'tls.crt': `%%${canaries.brokenBase64}%%`, 'tls.key': '%' }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
    data,
  } as KubeObject
}

function secret(name: string, texts: Readonly<Record<string, string>>): Secret {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  )
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' }, data } as Secret
}
