// permanent-redirect, temporal-redirect, their codes, and relative-redirects.
// Source: ingress-nginx 1.15 annotations/redirect. A temporal redirect beats a permanent one.

import { directive, literal } from '../config/node.ts'
import { at, defineAnnotation, defineFamily, type Family, perRoute } from './define.ts'
import { flag, integer, url, type ValueParser } from './values.ts'

/** Where every request of a location is sent. */
export interface Redirect {
  readonly target: string | undefined
  readonly code: number
  readonly relative: boolean
}

/** Many write `$request_uri` here, since the path of the request is not carried over; the original refuses it, too. */
const target: ValueParser<string> = {
  expected: 'a URL without nginx variables: it is sent as it is, `$` is refused',
  parse: url.parse,
}

const permanentRedirect = defineAnnotation({
  names: ['permanent-redirect'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: target,
  invalid: 'refuse',
  fallback: 'no redirect',
  summary: 'redirects every request there for good',
  tier: 1,
})

const permanentRedirectCode = defineAnnotation({
  names: ['permanent-redirect-code'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: integer,
  invalid: 'refuse',
  fallback: '301',
  summary: 'status of permanent-redirect, 300 to 308',
  tier: 2,
})

const temporalRedirect = defineAnnotation({
  names: ['temporal-redirect'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: target,
  invalid: 'refuse',
  fallback: 'no redirect',
  summary: 'redirects every request there for now',
  tier: 1,
})

const temporalRedirectCode = defineAnnotation({
  names: ['temporal-redirect-code'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: integer,
  invalid: 'refuse',
  fallback: '302',
  summary: 'status of temporal-redirect, 300 to 307',
  tier: 3,
})

const relativeRedirects = defineAnnotation({
  names: ['relative-redirects'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'the ConfigMap value (false)',
  summary: 'writes redirects of nginx without scheme and host',
  tier: 3,
})

/** See the file header. */
export const redirect: Family<Redirect> = defineFamily({
  name: 'redirect',
  annotations: [permanentRedirect, permanentRedirectCode, temporalRedirect, temporalRedirectCode, relativeRedirects],
  resolve: (read, context) => {
    const { settings } = context
    // COMPAT: the annotation can add to the ConfigMap and not take away (template, absolute_redirect).
    const relative = read(relativeRedirects) === true || settings['relative-redirects']
    const temporal = read(temporalRedirect)
    if (temporal !== undefined && !/^http[a-z0-9+.-]*:/i.test(temporal)) {
      // COMPAT: nothing of the group holds then (redirect.go, isValidURL).
      context.warn(temporalRedirect, 'expected a URL that begins with http', 'requests are not redirected')
      return { target: undefined, code: 302, relative: settings['relative-redirects'] }
    }
    if (temporal !== undefined) {
      return { target: temporal, code: codeWithin(read(temporalRedirectCode), 307, 302), relative }
    }
    return { target: read(permanentRedirect), code: codeWithin(read(permanentRedirectCode), 308, 301), relative }
  },
  render: (value) => [
    at('response', directive('absolute_redirect', value.relative ? 'off' : 'on')),
    ...(value.target === undefined
      ? []
      : [at('return', directive('return', value.code, perRoute('route_redirect', literal(value.target))))]),
  ],
})

function codeWithin(code: number | undefined, most: number, fallback: number): number {
  return code !== undefined && code >= 300 && code <= most ? code : fallback
}
