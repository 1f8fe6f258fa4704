// Who asks: tokens, the anonymous user, and the little that is not the administrator's alone.

/** A user as reviews show it. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
  readonly isAdmin: boolean
}

/** Tokens by text. */
export type Tokens = ReadonlyMap<string, User>

const authenticated = 'system:authenticated'

/** The user that everything may do. */
export const admin: User = { name: 'admin', groups: ['system:masters', authenticated], isAdmin: true }

/** A known user without rights of its own. */
export function plainUser(name: string): User {
  return { name, groups: [authenticated], isAdmin: false }
}

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'], isAdmin: false }

/**
 * The user of a request; `undefined` for a token that nobody has.
 *
 * @param trustsAnonymous - whether a request without a token is the administrator's (plain http, where clients send none)
 */
export function userOf(authorization: string | undefined, tokens: Tokens, trustsAnonymous: boolean): User | undefined {
  const token = /^Bearer\s+(.*)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return trustsAnonymous ? admin : anonymous
  return tokens.get(token.trim())
}

const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version'])
const discoveryPaths = /^\/(api|apis|openapi)(\/|$)/
const selfReviews = new Set(['selfsubjectaccessreviews', 'selfsubjectreviews', 'selfsubjectrulesreviews'])

/** Whether a user may read a path outside the resources. */
export function mayReadPath(user: User, path: string): boolean {
  if (user.isAdmin || publicPaths.has(path.replace(/^(\/(?:healthz|livez|readyz)).*/, '$1'))) return true
  return user.groups.includes(authenticated) && discoveryPaths.test(path)
}

/** Whether a user may do something with a resource. */
export function mayUseResource(user: User, verb: string, plural: string): boolean {
  return user.isAdmin || (user.groups.includes(authenticated) && verb === 'create' && selfReviews.has(plural))
}
