// auth-url and what belongs to it, and the same for all Ingresses by ConfigMap: another service allows or refuses each
// request. Whatever is wrong with it denies. Source: ingress-nginx 1.15 annotations/authreq, authreqglobal.

import type { Settings } from '../settings/registry.ts'
import { authKeepaliveAnnotations, readAuthKeepalive } from './auth-keepalive.ts'
import { defineAnnotation, defineFamily, type Family, type ResolveContext, referenceOf } from './define.ts'
import { type ExternalAuth, renderExternalAuth } from './external-auth-render.ts'
import { allowed } from './snippets.ts'
import {
  basic,
  flag,
  headerList,
  isHeaderName,
  isQualifiedName,
  snippet,
  textOf,
  url,
  urlWithVariables,
  variables,
} from './values.ts'
import { unknownVariable } from './variables.ts'

const common = { group: 'access', scope: 'location' } as const

const authUrl = defineAnnotation({
  ...common,
  names: ['auth-url'],
  risk: 'High',
  value: urlWithVariables,
  invalid: 'refuse',
  fallback: 'no question',
  summary: 'service that allows (2xx) or refuses (401, 403) every request',
  tier: 1,
})
const authMethod = defineAnnotation({
  ...common,
  names: ['auth-method'],
  risk: 'Low',
  value: textOf(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE)$/, 'an HTTP method'),
  invalid: 'deny',
  fallback: 'GET',
  summary: 'method of the question',
  tier: 2,
})
const authSignin = defineAnnotation({
  ...common,
  names: ['auth-signin'],
  risk: 'High',
  value: urlWithVariables,
  // The original ignores a bad value; a client that cannot sign in is better told so by us.
  invalid: 'refuse',
  fallback: 'status 401',
  summary: 'page that a client is sent to on 401',
  tier: 1,
})
const authSigninRedirectParam = defineAnnotation({
  ...common,
  names: ['auth-signin-redirect-param'],
  risk: 'Medium',
  value: url,
  invalid: 'ignore',
  fallback: 'rd',
  summary: 'query parameter of that page with the original address',
  tier: 2,
})
const authSnippet = defineAnnotation({
  ...common,
  names: ['auth-snippet'],
  risk: 'Critical',
  value: snippet,
  invalid: 'refuse',
  fallback: 'nothing',
  summary: 'raw configuration of the question',
  tier: 3,
})
const authCacheKey = defineAnnotation({
  ...common,
  names: ['auth-cache-key'],
  risk: 'Medium',
  value: variables,
  invalid: 'refuse',
  fallback: 'no cache',
  summary: 'remembers answers under this key',
  tier: 2,
})
const authCacheDuration = defineAnnotation({
  ...common,
  names: ['auth-cache-duration'],
  risk: 'Medium',
  value: { expected: 'items of status codes and a time', parse: parseDurations },
  // The original serves without the check then.
  invalid: 'deny',
  fallback: '200 202 401 5m',
  summary: 'how long answers are remembered',
  tier: 2,
})
const authResponseHeaders = defineAnnotation({
  ...common,
  names: ['auth-response-headers'],
  risk: 'Medium',
  value: headerList,
  invalid: 'deny',
  fallback: 'none',
  summary: 'headers of the answer that the backend gets',
  tier: 1,
})
const authProxySetHeaders = defineAnnotation({
  ...common,
  names: ['auth-proxy-set-headers'],
  risk: 'Medium',
  value: basic,
  invalid: 'ignore',
  fallback: 'none',
  summary: 'ConfigMap of headers for the question',
  tier: 2,
})
const authRequestRedirect = defineAnnotation({
  ...common,
  names: ['auth-request-redirect'],
  risk: 'Medium',
  value: url,
  invalid: 'deny',
  fallback: 'the request URI',
  summary: 'value of X-Auth-Request-Redirect',
  tier: 3,
})
const authAlwaysSetCookie = defineAnnotation({
  ...common,
  names: ['auth-always-set-cookie'],
  risk: 'Low',
  value: flag,
  invalid: 'deny',
  fallback: 'false',
  summary: 'passes the cookie of the answer on with every status',
  tier: 3,
})
const enableGlobalAuth = defineAnnotation({
  ...common,
  names: ['enable-global-auth'],
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'true',
  summary: 'false: the question of the ConfigMap is not asked here',
  tier: 2,
})

/** See the file header; `undefined` where nobody is asked. */
export const externalAuth: Family<ExternalAuth | undefined> = defineFamily({
  name: 'external-auth',
  annotations: [
    authUrl,
    authMethod,
    authSignin,
    authSigninRedirectParam,
    authSnippet,
    authCacheKey,
    authCacheDuration,
    ...authKeepaliveAnnotations,
    authResponseHeaders,
    authProxySetHeaders,
    authRequestRedirect,
    authAlwaysSetCookie,
    enableGlobalAuth,
  ],
  resolve: (read, context): ExternalAuth | undefined => {
    const target = read(authUrl)
    // COMPAT: the built-in location of the catch-all server asks nobody.
    const isGlobal = !context.isBuiltIn && (read(enableGlobalAuth) ?? true)
    if (target === undefined) return isGlobal ? globalAuth(context.settings) : undefined
    const host = hostOfUrl(target)
    if (host === undefined) context.deny(authUrl, `expected an http or https URL, got ${JSON.stringify(target)}`)
    const signin = read(authSignin)
    for (const [annotation, text] of [
      [authUrl, target],
      [authSignin, signin],
      [authCacheKey, read(authCacheKey)],
    ] as const) {
      const unknown = text === undefined ? undefined : unknownVariable(text)
      if (unknown !== undefined) context.refuse(annotation, `expected nginx variables, got ${JSON.stringify(unknown)}`)
    }
    return {
      url: target,
      host: host ?? '',
      method: read(authMethod),
      signin,
      signinRedirectParam: read(authSigninRedirectParam) ?? 'rd',
      responseHeaders: read(authResponseHeaders) ?? [],
      requestRedirect: read(authRequestRedirect),
      setHeaders: readHeaders(read(authProxySetHeaders), context),
      cacheKey: read(authCacheKey),
      cacheDurations: read(authCacheDuration) ?? ['200 202 401 5m'],
      alwaysSetCookie: read(authAlwaysSetCookie) ?? false,
      snippet: allowed(authSnippet, read(authSnippet), context),
      keepalive: host === undefined ? undefined : readAuthKeepalive(read, target, context),
    }
  },
  render: renderExternalAuth,
})

/** Host of an http or https URL; `undefined` when it is none, or has an empty label. */
export function hostOfUrl(text: string): string | undefined {
  const match = /^https?:\/\/(\[[0-9a-fA-F:]+\]|[^/:?#[\] ]+)(?::(?:[0-9]{1,5}|\$[a-z_]+))?(?:[/?].*)?$/i.exec(text)
  const host = match?.[1]
  return host === undefined || host.includes('..') || text.includes(' ') ? undefined : host
}

function globalAuth(settings: Settings): ExternalAuth | undefined {
  const target = settings['global-auth-url']
  const host = target === '' ? undefined : hostOfUrl(target)
  if (host === undefined || unknownVariable(target) !== undefined) return undefined
  const durations = parseDurations(settings['global-auth-cache-duration'])
  return {
    url: target,
    host,
    method: settings['global-auth-method'] || undefined,
    signin: settings['global-auth-signin'] || undefined,
    signinRedirectParam: settings['global-auth-signin-redirect-param'] || 'rd',
    responseHeaders: settings['global-auth-response-headers'].filter(isHeaderName),
    requestRedirect: knownText(settings['global-auth-request-redirect']),
    setHeaders: [],
    cacheKey: settings['global-auth-cache-key'] || undefined,
    cacheDurations: durations ?? ['200 202 401 5m'],
    alwaysSetCookie: settings['global-auth-always-set-cookie'],
    snippet: settings['global-auth-snippet'] || undefined,
    keepalive: undefined,
  }
}

/** The text; `undefined` for none and for one with a variable that nginx does not know. */
function knownText(text: string): string | undefined {
  return text === '' || unknownVariable(text) !== undefined ? undefined : text
}

function parseDurations(text: string): readonly string[] | undefined {
  const items = text
    .split(',')
    .map((item) => item.trim().replaceAll(/ +/g, ' '))
    .filter((item) => item !== '')
  const isGood = items.every((item) => /^(?:any |(?:[1-5][0-9]{2} )*)[0-9]{1,9}(?:ms|s|m|h|d|w|M|y)$/.test(item))
  return isGood && items.length > 0 ? items : undefined
}

function readHeaders(name: string | undefined, context: ResolveContext): readonly (readonly [string, string])[] {
  if (name === undefined) return []
  const reference = referenceOf(name, context.namespace)
  const deny = (reason: string): readonly (readonly [string, string])[] => {
    context.deny(authProxySetHeaders, reason)
    return []
  }
  if (!isQualifiedName(name)) return deny('expected namespace/name')
  if (reference.namespace !== context.namespace && !context.settings['allow-cross-namespace-resources']) {
    return deny('the ConfigMap is in another namespace')
  }
  const data = context.snapshot.configMaps.get(reference.name, reference.namespace)?.data
  if (data === undefined) return deny('the ConfigMap does not exist')
  const entries = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))
  const bad = entries.find(
    ([header, value]) =>
      !isHeaderName(header) ||
      value.length > 3000 ||
      /[\u0000-\u001f\u007f\u2028\u2029]/.test(value) ||
      unknownVariable(value) !== undefined,
  )
  return bad === undefined ? entries : deny(`the entry ${JSON.stringify(bad[0])} is no header`)
}
