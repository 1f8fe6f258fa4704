// Questions about tokens and rights (authentication.k8s.io, authorization.k8s.io): answered, never stored.

import type { ApiObject } from '../api-object.ts'
import { mayReadPath, mayUseResource, type Tokens, type User } from '../http/users.ts'
import { isObject, type JsonObject, objectAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, defineKind, type KindDefinition } from './define-kind.ts'

function review(
  group: string,
  kind: string,
  answer: (object: ApiObject, user: User, tokens: Tokens) => JsonObject,
  more: Partial<KindDefinition> = {},
): ApiKind {
  return defineKind({
    group: `${group}.k8s.io`,
    kind,
    plural: `${kind.toLowerCase()}s`,
    type: `${group}.${kind}`,
    isNamespaced: false,
    verbs: ['create'],
    review: (object, user, { tokens }) => ({ ...object, status: answer(object, user, tokens) }),
    ...more,
  })
}

function isAllowed(spec: JsonObject, user: User): JsonObject {
  const resource = spec['resourceAttributes']
  const path = objectAt(spec, 'nonResourceAttributes')
  const allowed = isObject(resource)
    ? mayUseResource(user, textAt(resource, 'verb'), textAt(resource, 'resource'))
    : mayReadPath(user, textAt(path, 'path'))
  return allowed ? { allowed, reason: 'this user may do everything here' } : { allowed }
}

function namedUser(spec: JsonObject, tokens: Tokens): User {
  const name = textAt(spec, 'user')
  const groups = textsAt(spec, 'groups')
  const known = [...tokens.values()].find((user) => user.name === name)
  return known ?? { name, groups, isAdmin: groups.includes('system:masters') }
}

function tokenStatus(object: ApiObject, tokens: Tokens): JsonObject {
  const user = tokens.get(textAt(objectAt(object, 'spec'), 'token'))
  if (!user) return { user: {}, error: 'invalid bearer token' }
  return { authenticated: true, user: { username: user.name, groups: [...user.groups] } }
}

/** The reviews, in the order of discovery. */
export const reviewKinds: readonly ApiKind[] = [
  review('authentication', 'TokenReview', (object, _user, tokens) => tokenStatus(object, tokens)),
  review('authentication', 'SelfSubjectReview', (_object, user) => ({
    userInfo: { username: user.name, groups: [...user.groups] },
  })),
  review('authorization', 'SelfSubjectAccessReview', (object, user) => isAllowed(objectAt(object, 'spec'), user)),
  review('authorization', 'SelfSubjectRulesReview', (_object, user) => ({
    resourceRules: user.isAdmin ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : [],
    nonResourceRules: user.isAdmin ? [{ verbs: ['*'], nonResourceURLs: ['*'] }] : [],
    incomplete: false,
  })),
  review('authorization', 'SubjectAccessReview', (object, _user, tokens) => {
    const spec = objectAt(object, 'spec')
    return isAllowed(spec, namedUser(spec, tokens))
  }),
  review(
    'authorization',
    'LocalSubjectAccessReview',
    (object, _user, tokens) => {
      const spec = objectAt(object, 'spec')
      return isAllowed(spec, namedUser(spec, tokens))
    },
    { isNamespaced: true },
  ),
]
