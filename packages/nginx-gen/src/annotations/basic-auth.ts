// auth-type, auth-secret, auth-secret-type, auth-realm: passwords of a Secret. Whatever is wrong with them denies.
// Source: ingress-nginx 1.15 annotations/auth.

import { directive, literal, word } from '../config/node.ts'
import { decodeBase64 } from '../translate/base64.ts'
import {
  at,
  defineAnnotation,
  defineFamily,
  type Family,
  type Placed,
  perRoute,
  type ResolveContext,
  referenceOf,
  requestHeader,
} from './define.ts'
import { basicWithSpace, objectName, oneOf } from './values.ts'

/** Password check of a location. */
export interface BasicAuth {
  readonly realm: string
  /** Name of a file in `Model.files`. */
  readonly file: string
}

const authType = defineAnnotation({
  names: ['auth-type'],
  group: 'access',
  scope: 'location',
  risk: 'Low',
  value: oneOf(['basic', 'digest']),
  invalid: 'refuse',
  fallback: 'no passwords',
  summary: 'basic asks for a password; digest is not available',
  tier: 1,
})

const authSecret = defineAnnotation({
  names: ['auth-secret'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: objectName,
  invalid: 'deny',
  fallback: 'the locations answer 503',
  summary: 'Secret with the passwords',
  tier: 1,
})

const authSecretType = defineAnnotation({
  names: ['auth-secret-type'],
  group: 'access',
  scope: 'location',
  risk: 'Low',
  value: oneOf(['auth-file', 'auth-map']),
  invalid: 'refuse',
  fallback: 'auth-file',
  summary: 'auth-file: key auth holds lines; auth-map: each key is a user',
  tier: 2,
})

const authRealm = defineAnnotation({
  names: ['auth-realm'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: basicWithSpace,
  invalid: 'refuse',
  fallback: 'empty',
  summary: 'realm that browsers show',
  tier: 1,
})

/** See the file header; `undefined` where no password is asked for. */
export const basicAuth: Family<BasicAuth | undefined> = defineFamily({
  name: 'basic-auth',
  annotations: [authType, authSecret, authSecretType, authRealm],
  resolve: (read, context) => {
    const type = read(authType)
    if (type === undefined) return undefined
    if (type === 'digest') {
      context.deny(authType, 'digest needs an nginx module that is not available')
      return undefined
    }
    const name = read(authSecret)
    const layout = read(authSecretType) ?? 'auth-file'
    const realm = withoutKeyword(read(authRealm) ?? '')
    if (name === undefined) {
      if (!context.has(authSecret)) context.deny(authSecret, 'auth-type needs auth-secret')
      return undefined
    }
    const content = passwords(name, layout, context)
    return content === undefined ? undefined : { realm, file: context.addFile('passwd', content) }
  },
  render: (value, { location, settings, filePath }) => {
    const isExempt = settings['no-auth-locations'].some((prefix) => location.route.path.startsWith(prefix))
    if (value === undefined || isExempt) return []
    const placed: Placed[] = [
      at(
        'auth',
        directive('auth_basic', perRoute('route_realm', literal(value.realm))),
        directive('auth_basic_user_file', perRoute('route_passwords', literal(filePath(value.file)))),
      ),
      requestHeader('Authorization', word('')),
    ]
    return placed
  },
})

/** To nginx `off` is no realm: nobody would be asked for a password, also where the word comes from a variable. */
function withoutKeyword(realm: string): string {
  return realm === 'off' ? 'off ' : realm
}

function passwords(name: string, type: 'auth-file' | 'auth-map', context: ResolveContext): string | undefined {
  const reference = referenceOf(name, context.namespace)
  if (reference.namespace !== context.namespace && !context.settings['allow-cross-namespace-resources']) {
    context.deny(authSecret, 'the Secret is in another namespace')
    return undefined
  }
  const secret = context.snapshot.secrets.get(reference.name, reference.namespace)
  if (secret === undefined) {
    context.deny(authSecret, 'the Secret does not exist')
    return undefined
  }
  if (type === 'auth-file') {
    const text = decodeBase64(secret.data?.['auth'])
    if (text === undefined) context.deny(authSecret, 'the Secret has no key "auth"')
    return text
  }
  const lines = Object.entries(secret.data ?? {}).map(([user, hash]) => [user, decodeBase64(hash)?.trimEnd()] as const)
  // A value with a line break would add users (reference: quirks).
  const isGood = lines.every(([user, hash]) => !/[:\s]/.test(user) && hash !== undefined && !/[\r\n\0]/.test(hash))
  if (!isGood) {
    context.deny(authSecret, 'the Secret holds a user or password that spans lines')
    return undefined
  }
  return lines
    .map(([user, hash]) => `${user}:${hash}\n`)
    .sort()
    .join('')
}
