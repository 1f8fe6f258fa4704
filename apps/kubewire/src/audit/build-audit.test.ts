import { type KubeObject, printRef, snapshotOf } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { translateIngresses } from '@kubewire/nginx-gen'
import { expect, test } from 'vitest'
import { buildAudit } from './build-audit.ts'
import { printAudit } from './print-audit.ts'

const prefix = 'nginx.ingress.kubernetes.io/'
const paths = [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'tea', port: { number: 80 } } } }]
const spec = { rules: [{ host: 'shop.example.org', http: { paths } }] }

function audit(
  annotations: { readonly [name: string]: string },
  ...others: KubeObject[]
): ReturnType<typeof buildAudit> {
  const own = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}${name}`, value]))
  const snapshot = snapshotOf([service('shop/tea'), ingress('shop/front', spec, own), ...others])
  const translation = translateIngresses(snapshot, { watchWithoutClass: true, configMap: 'ingress/settings' })
  return buildAudit(snapshot, translation, 'ingress/settings')
}

test.each([
  ['an annotation that acts the same', 'proxy-read-timeout', '30', 'supported'],
  ['one that differs on purpose', 'cors-allow-origin', 'https://example.org', 'changed'],
  ['one whose value is not accepted', 'proxy-read-timeout', 'fast', 'refused'],
  ['one that this nginx has no module for', 'enable-modsecurity', 'true', 'unavailable'],
  ['one that nobody knows', 'proxy-reed-timeout', '30', 'unknown'],
] as const)('%s is %s=%s: %s', (_name, name, value, here) => {
  expect(audit({ [name]: value })).toContainEqual(expect.objectContaining({ kind: 'annotation', name, value, here }))
})

test('keys of the ConfigMap are listed, known or not', () => {
  const data = { 'proxy-body-size': '8m', 'proxy-bodi-size': '9m', 'keep-alive': 'long' }
  const entries = audit({}, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ingress', name: 'settings' },
    data,
  } as KubeObject)
  const found = entries.filter(({ kind }) => kind === 'setting').map(({ name, here }) => `${name} ${here}`)
  expect(found).toEqual(['keep-alive refused', 'proxy-bodi-size unknown', 'proxy-body-size supported'])
  expect(entries.map(({ name }) => name)).not.toContain('body-limit')
})

test('what is done unasked is found where it acts', () => {
  const behaviours = (annotations: { readonly [name: string]: string }): string[] =>
    audit(annotations)
      .filter(({ kind }) => kind === 'behaviour')
      .map(({ name, object }) => `${name} ${printRef(object)}`)
  expect(behaviours({})).toContain('body-limit Ingress shop/front')
  expect(behaviours({})).not.toContain('expressions-over-host Ingress shop/front')
  expect(behaviours({ 'use-regex': 'true' })).toContain('expressions-over-host Ingress shop/front')
})

test('Markdown counts, and gives each annotation a row with its place in Gateway API', () => {
  const text = printAudit(audit({ 'ssl-redirect': 'false', 'server-snippet': 'return 200;' }), 'markdown')
  expect(text).toMatch(/Here: 1 supported, 0 changed, 1 refused, 0 unavailable, 0 unknown\. Risky: 1\./)
  expect(text).toMatch(/\| ssl-redirect: "false" \| supported \| Low \|.*RequestRedirect.*\| Ingress shop\/front \|/)
})
