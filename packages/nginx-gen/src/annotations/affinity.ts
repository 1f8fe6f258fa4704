// affinity and session-cookie-*: a client keeps its endpoint by a cookie.
// Source: ingress-nginx 1.15 annotations/sessionaffinity.

import type { CookieAffinity } from '../model/backend.ts'
import { defineAnnotation, defineFamily, type Family } from './define.ts'
import { basic, flag, oneOf, url, type ValueParser } from './values.ts'

/** What an Ingress says about affinity; joined per backend in translate/backends.ts. */
export interface AffinityWish {
  readonly isOn: boolean
  readonly mode: CookieAffinity['mode'] | undefined
  readonly canaryBehavior: 'sticky' | 'legacy'
  readonly cookie: Omit<CookieAffinity, 'mode' | 'locations'>
}

// COMPAT: `0` is tested at the start and other numbers at the end only, so odd texts pass; we take whole numbers.
const seconds: ValueParser<number> = {
  expected: 'a number of seconds',
  parse: (text) => (/^(?:0|-?[1-9][0-9]{0,9})$/.test(text) ? Number(text) : undefined),
}

const cookieName: ValueParser<string> = {
  expected: 'a cookie name',
  parse: (text) => (/^[A-Za-z0-9._~-]+$/.test(text) ? text : undefined),
}

const common = { group: 'balancing', scope: 'ingress', invalid: 'ignore' } as const

const affinityType = defineAnnotation({
  ...common,
  names: ['affinity'],
  risk: 'Low',
  value: oneOf(['cookie']),
  fallback: 'no affinity',
  summary: 'cookie: a client keeps its endpoint',
  tier: 1,
})

const affinityMode = defineAnnotation({
  ...common,
  names: ['affinity-mode'],
  risk: 'Medium',
  value: oneOf(['balanced', 'persistent']),
  fallback: 'balanced',
  summary: 'whether sessions move when endpoints are added',
  tier: 2,
})

const canaryBehavior = defineAnnotation({
  ...common,
  names: ['affinity-canary-behavior'],
  risk: 'Low',
  value: oneOf(['sticky', 'legacy']),
  fallback: 'sticky',
  summary: 'whether a client stays on the canary',
  tier: 3,
})

const sessionCookieName = defineAnnotation({
  ...common,
  names: ['session-cookie-name'],
  risk: 'Medium',
  value: cookieName,
  fallback: 'INGRESSCOOKIE',
  summary: 'name of the cookie',
  tier: 1,
})

const sessionCookieSecure = defineAnnotation({
  ...common,
  names: ['session-cookie-secure'],
  risk: 'Low',
  value: flag,
  fallback: 'as the scheme of the request',
  summary: 'sets Secure on the cookie',
  tier: 2,
})

const sessionCookieExpires = defineAnnotation({
  ...common,
  names: ['session-cookie-expires'],
  risk: 'Medium',
  value: seconds,
  fallback: 'a session cookie',
  summary: 'Expires of the cookie, seconds from now',
  tier: 2,
})

const sessionCookieMaxAge = defineAnnotation({
  ...common,
  names: ['session-cookie-max-age'],
  risk: 'Medium',
  value: seconds,
  fallback: 'a session cookie',
  summary: 'Max-Age of the cookie, seconds',
  tier: 1,
})

const sessionCookiePath = defineAnnotation({
  ...common,
  names: ['session-cookie-path'],
  risk: 'Medium',
  value: url,
  fallback: 'the rule path',
  summary: 'Path of the cookie; needed with use-regex',
  tier: 2,
})

const sessionCookieDomain = defineAnnotation({
  ...common,
  names: ['session-cookie-domain'],
  risk: 'Medium',
  value: basic,
  fallback: 'no Domain',
  summary: 'Domain of the cookie',
  tier: 3,
})

const sessionCookieSameSite = defineAnnotation({
  ...common,
  names: ['session-cookie-samesite'],
  risk: 'Low',
  value: {
    expected: 'None, Lax or Strict',
    parse: (text) => (/^(?:none|lax|strict)$/i.test(text) ? text : undefined),
  },
  fallback: 'no SameSite',
  summary: 'SameSite of the cookie; other spellings than None, Lax and Strict are left out',
  tier: 2,
})

const conditionalSameSiteNone = defineAnnotation({
  ...common,
  names: ['session-cookie-conditional-samesite-none'],
  risk: 'Low',
  value: flag,
  fallback: 'false',
  summary: 'leaves SameSite=None out for browsers that misread it',
  tier: 3,
})

const changeOnFailure = defineAnnotation({
  ...common,
  names: ['session-cookie-change-on-failure'],
  risk: 'Low',
  value: flag,
  fallback: 'false',
  summary: 'gives a new endpoint and cookie after a failed try',
  tier: 2,
})

/** See the file header. */
export const affinity: Family<AffinityWish> = defineFamily({
  name: 'affinity',
  annotations: [
    affinityType,
    affinityMode,
    canaryBehavior,
    sessionCookieName,
    sessionCookieSecure,
    sessionCookieExpires,
    sessionCookieMaxAge,
    sessionCookiePath,
    sessionCookieDomain,
    sessionCookieSameSite,
    conditionalSameSiteNone,
    changeOnFailure,
  ],
  resolve: (read) => ({
    isOn: read(affinityType) === 'cookie',
    mode: read(affinityMode),
    canaryBehavior: read(canaryBehavior) ?? 'sticky',
    cookie: {
      cookieName: read(sessionCookieName) ?? 'INGRESSCOOKIE',
      path: read(sessionCookiePath),
      domain: read(sessionCookieDomain),
      sameSite: spelledSameSite(read(sessionCookieSameSite)),
      conditionalSameSiteNone: read(conditionalSameSiteNone) ?? false,
      secure: read(sessionCookieSecure) || undefined,
      expiresSeconds: read(sessionCookieExpires),
      maxAgeSeconds: read(sessionCookieMaxAge),
      changeOnFailure: read(changeOnFailure) ?? false,
    },
  }),
})

/** COMPAT: any case is accepted, and what is not spelled like this is not written (lua-resty-cookie, bake). */
function spelledSameSite(text: string | undefined): string | undefined {
  return text === 'None' || text === 'Lax' || text === 'Strict' ? text : undefined
}
