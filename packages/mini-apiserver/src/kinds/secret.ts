// Secret: plain text becomes data, types demand keys (kube-apiserver 1.37 `pkg/apis/core/validation`, Secret).

import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { invalidValue, required, tooLong } from '../field-error.ts'
import { type JsonObject, objectAt, textAt } from '../json.ts'
import { dataKeyCauses, immutableCauses, maxDataBytes } from './config-map.ts'
import { type ApiKind, ageColumn, defineKind, nameColumn } from './define-kind.ts'

function setSecretDefaults(secret: ApiObject): void {
  const plain = Object.entries(objectAt(secret, 'stringData'))
  if (plain.length > 0) {
    const encoded = plain.map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')])
    secret['data'] = { ...objectAt(secret, 'data'), ...Object.fromEntries(encoded) }
  }
  delete secret['stringData']
  secret['type'] ??= 'Opaque'
}

const requiredKeys: { readonly [type: string]: readonly string[] } = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function validateSecret(secret: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const data = objectAt(secret, 'data')
  const type = textAt(secret, 'type')
  const causes = dataKeyCauses(data, 'data')
  const bytes = Object.values(data).reduce<number>((sum, value) => sum + (String(value).length * 3) / 4, 0)
  if (bytes > maxDataBytes) causes.push(tooLong('data', maxDataBytes))
  for (const key of requiredKeys[type] ?? []) if (data[key] === undefined) causes.push(required(`data[${key}]`))
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    causes.push(required('data[username]'), required('data[password]'))
  }
  causes.push(...dockerCauses(data))
  if (type === 'kubernetes.io/service-account-token') {
    const account = objectAt(secret.metadata, 'annotations')['kubernetes.io/service-account.name']
    if (account === undefined) causes.push(required('metadata.annotations[kubernetes.io/service-account.name]'))
  }
  if (!old) return causes
  if (type !== textAt(old, 'type')) causes.push(invalidValue('type', type, 'field is immutable'))
  return [...causes, ...immutableCauses(secret, old, ['data'])]
}

// Docker's configuration must be JSON; what it holds is not shown.
function dockerCauses(data: JsonObject): Cause[] {
  return ['.dockerconfigjson', '.dockercfg'].flatMap((key) => {
    const value = data[key]
    if (typeof value !== 'string') return []
    const text = Buffer.from(value, 'base64').toString('utf8')
    try {
      JSON.parse(text)
      return []
    } catch {
      const why =
        text === ''
          ? 'unexpected end of JSON input'
          : `invalid character '${text.slice(0, 1)}' looking for beginning of value`
      return [invalidValue(`data[${key}]`, '<secret contents redacted>', why)]
    }
  })
}

function secretWarnings(secret: ApiObject): string[] {
  if (textAt(secret, 'type') !== 'kubernetes.io/tls') return []
  const certificate = Buffer.from(textAt(objectAt(secret, 'data'), 'tls.crt'), 'base64').toString('utf8')
  return certificate.includes('-----BEGIN') ? [] : ['tls: failed to find any PEM data in certificate input']
}

/** Secret (v1). */
export const secret: ApiKind = defineKind({
  kind: 'Secret',
  plural: 'secrets',
  type: 'core.Secret',
  selectable: { type: (object) => textAt(object, 'type') },
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', cell: (object) => textAt(object, 'type') },
    { name: 'Data', type: 'string', cell: (object) => Object.keys(objectAt(object, 'data')).length },
    ageColumn,
  ],
  rules: {
    setDefaults: setSecretDefaults,
    validate: validateSecret,
    warn: secretWarnings,
  },
})
