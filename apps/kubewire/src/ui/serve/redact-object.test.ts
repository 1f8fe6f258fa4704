import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { KubeObject } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { makeCertificate } from '@kubewire/mini-apiserver'
import { translateIngresses } from '@kubewire/nginx-gen'
import { describe, expect, test } from 'vitest'
import { manifestSnapshot } from '../../input/input-snapshot.ts'
import { redactObject } from './redact-object.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function secret(data: Readonly<Record<string, string>>, extra: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'shop', name: 'shop-tls' },
    data,
    ...extra,
  } as KubeObject
}

function dataOf(object: KubeObject): Readonly<Record<string, string>> {
  return (object as { readonly data?: Readonly<Record<string, string>> }).data ?? {}
}

describe('an object on its way to the page', () => {
  test('has none of its passwords and tokens', () => {
    const object = secret(
      { auth: base64('anna:$apr1$secret'), 'ca.crt': base64('public') },
      { stringData: { token: 'geheim' } },
    )
    const shown = redactObject(object)
    expect(JSON.stringify(shown)).not.toContain(base64('anna:$apr1$secret'))
    expect(JSON.stringify(shown)).not.toContain('geheim')
    expect(Object.keys(dataOf(shown))).toEqual(['auth', 'ca.crt', 'token'])
    expect(dataOf(shown)['ca.crt']).toBe(base64('public'))
  })

  test('has no copy of them in what kubectl applied last', () => {
    const metadata = {
      name: 'a',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"a":"geheim"}}', other: 'kept' },
    }
    const shown = redactObject({ apiVersion: 'v1', kind: 'Secret', metadata })
    expect(shown.metadata?.annotations).toEqual({ other: 'kept' })
  })

  test('is the same value when it hides nothing', () => {
    const object = service('shop/tea')
    expect(redactObject(object)).toBe(object)
  })

  test('still tells whether a key belongs to its certificate, without the key', async () => {
    const { cert, key } = await makeCertificate(['shop.example.org'])
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    })
    const pkcs1 = createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' })
    for (const [pem, problems] of [
      [key, 0],
      [pkcs1, 0],
      [other, 1],
      ['no key', 1],
    ] as const) {
      const shown = redactObject(secret({ 'tls.crt': base64(cert), 'tls.key': base64(String(pem)) }))
      expect(dataOf(shown)['tls.key']).not.toBe(base64(String(pem)))
      expect(certificateProblems(shown)).toBe(problems)
    }
  })

  test('keys of elliptic curves keep their public half alone', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'sec1', format: 'pem' })
    const shown = Buffer.from(
      dataOf(redactObject(secret({ 'tls.key': base64(String(pem)) })))['tls.key'] ?? '',
      'base64',
    ).toString()
    const secretPart = privateKey.export({ format: 'jwk' }).d ?? ''
    expect(shown).toContain('BEGIN EC PRIVATE KEY')
    expect(
      Buffer.from(shown.replaceAll(/-----.*?-----|\s/g, ''), 'base64').includes(Buffer.from(secretPart, 'base64url')),
    ).toBe(false)
  })
})

function certificateProblems(secretObject: KubeObject): number {
  const front = ingress('shop/front', {
    ingressClassName: 'nginx',
    tls: [{ hosts: ['shop.example.org'], secretName: 'shop-tls' }],
    rules: [
      {
        host: 'shop.example.org',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'tea', port: { number: 80 } } } }],
        },
      },
    ],
  })
  const { snapshot } = manifestSnapshot([service('shop/tea'), secretObject, front])
  return translateIngresses(snapshot).problems.filter(({ code }) => code === 'NGX_CERTIFICATE').length
}
