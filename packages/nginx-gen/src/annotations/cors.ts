// enable-cors and cors-*: answers to other origins. Preflights are answered before any other check.
// Source: ingress-nginx 1.15 annotations/cors and template CORS.

import { type Argument, block, type ConfigNode, directive, interpolated, list, literal } from '../config/node.ts'
import { hashText } from '../translate/hash.ts'
import { at, defineAnnotation, defineFamily, type Family, inHttp, type Placed } from './define.ts'
import { flag, integer, splitList, textOf } from './values.ts'

/** Values of the headers; an empty list of origins allows nobody. */
export interface Cors {
  readonly origins: readonly string[] | '*'
  readonly methods: string
  readonly headers: string
  readonly credentials: boolean
  readonly exposeHeaders: string | undefined
  readonly maxAgeSeconds: number
}

const defaultMethods = 'GET, PUT, POST, DELETE, PATCH, OPTIONS'
const defaultHeaders =
  'DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization'

const enableCors = defineAnnotation({
  names: ['enable-cors'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'false',
  summary: 'answers requests of other origins',
  tier: 1,
})

const origin = /^(?:\*|null|(?:[a-z][a-z0-9+.-]*:\/\/)(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?)$/i

const corsAllowOrigin = defineAnnotation({
  names: ['cors-allow-origin'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Medium',
  value: {
    expected: 'origins between commas, such as https://*.example.org:8443',
    parse: (text) => (/^[A-Za-z0-9:/.,*+\- ]*$/.test(text) ? splitList(text) : undefined),
  },
  // The original takes * for a bad value, which opens what was meant to be closed; we allow nobody then.
  invalid: 'ignore',
  fallback: 'no origin is allowed',
  summary: 'origins that are allowed; *. is one label',
  tier: 1,
})

const corsAllowMethods = defineAnnotation({
  names: ['cors-allow-methods'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Medium',
  value: textOf(/^[A-Za-z]+(?:(?:, ?| )[A-Za-z]+)*,? ?$/, 'methods between commas'),
  invalid: 'ignore',
  fallback: defaultMethods,
  summary: 'methods that are allowed',
  tier: 1,
})

const corsAllowHeaders = defineAnnotation({
  names: ['cors-allow-headers'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Medium',
  value: textOf(/^[A-Za-z0-9\-_, ]+$/, 'header names between commas'),
  invalid: 'ignore',
  fallback: defaultHeaders,
  summary: 'request headers that are allowed',
  tier: 1,
})

const corsAllowCredentials = defineAnnotation({
  names: ['cors-allow-credentials'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'true',
  summary: 'lets cookies be sent',
  tier: 1,
})

const corsExposeHeaders = defineAnnotation({
  names: ['cors-expose-headers'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Medium',
  value: textOf(/^[A-Za-z0-9\-_*]+(?:(?:, ?| )[A-Za-z0-9\-_*]+)*,? ?$/, 'header names between commas'),
  invalid: 'ignore',
  fallback: 'none',
  summary: 'response headers that scripts may read',
  tier: 2,
})

const corsMaxAge = defineAnnotation({
  names: ['cors-max-age'],
  group: 'headers',
  scope: 'ingress',
  risk: 'Low',
  value: integer,
  invalid: 'ignore',
  fallback: '1728000',
  summary: 'seconds that a preflight answer is remembered',
  tier: 2,
})

/** See the file header; `undefined` where it is off. */
export const cors: Family<Cors | undefined> = defineFamily({
  name: 'cors',
  annotations: [
    enableCors,
    corsAllowOrigin,
    corsAllowMethods,
    corsAllowHeaders,
    corsAllowCredentials,
    corsExposeHeaders,
    corsMaxAge,
  ],
  resolve: (read, context) => {
    if (!read(enableCors)) return undefined
    return {
      origins: originsOf(read(corsAllowOrigin), context.has(corsAllowOrigin)),
      methods: read(corsAllowMethods) ?? defaultMethods,
      headers: read(corsAllowHeaders) ?? defaultHeaders,
      credentials: read(corsAllowCredentials) ?? true,
      exposeHeaders: read(corsExposeHeaders),
      maxAgeSeconds: read(corsMaxAge) ?? 1728000,
    }
  },
  render: (value) => {
    if (value === undefined) return []
    const { location, http } = renderCors(value)
    const placed: Placed[] = [at('cors', ...location)]
    return http.length === 0 ? placed : [...placed, inHttp(...http)]
  },
})

/** The directives of a location and the maps they read. */
export function renderCors(value: Cors): {
  readonly location: readonly ConfigNode[]
  readonly http: readonly ConfigNode[]
} {
  if (value.origins === '*') {
    const headers = renderHeaders(value, literal('Access-Control-Allow-Origin: *'))
    return { location: [renderPreflight(['$request_method', '=', 'OPTIONS'], headers), ...headers], http: [] }
  }
  if (value.origins.length === 0) return { location: [], http: [] }
  const id = hashText(value.origins.join(',')).slice(0, 12)
  const headers = renderHeaders(value, interpolated('Access-Control-Allow-Origin: $http_origin'))
  const pattern = `~*^(?:${value.origins.map(originPattern).join('|')})$`
  return {
    location: [renderPreflight([`$cors_preflight_${id}`], headers), block('if', [`$cors_${id}`], headers)],
    http: [
      block('map', ['$http_origin', `$cors_${id}`], [directive('default', literal('')), directive(pattern, '1')]),
      block(
        'map',
        [interpolated(`$request_method$cors_${id}`), `$cors_preflight_${id}`],
        [directive('default', literal('')), directive('OPTIONS1', '1')],
      ),
    ],
  }
}

function renderPreflight(condition: readonly (Argument | string)[], headers: readonly ConfigNode[]): ConfigNode {
  return block('if', condition, [
    ...headers,
    directive('more_set_headers', literal('Content-Type: text/plain charset=UTF-8')),
    directive('more_set_headers', literal('Content-Length: 0')),
    directive('return', 204),
  ])
}

function renderHeaders(value: Cors, allowOrigin: Argument): readonly ConfigNode[] {
  const set = (name: string, text: string): ConfigNode =>
    directive('more_set_headers', list('', literal(`${name}: `), literal(text)))
  return [
    directive('more_set_headers', allowOrigin),
    ...(value.credentials ? [set('Access-Control-Allow-Credentials', 'true')] : []),
    set('Access-Control-Allow-Methods', value.methods),
    set('Access-Control-Allow-Headers', value.headers),
    ...(value.exposeHeaders === undefined ? [] : [set('Access-Control-Expose-Headers', value.exposeHeaders)]),
    set('Access-Control-Max-Age', String(value.maxAgeSeconds)),
  ]
}

function originsOf(items: readonly string[] | undefined, isGiven: boolean): readonly string[] | '*' {
  if (!isGiven) return '*'
  const good = (items ?? []).filter((item) => origin.test(item))
  return good.includes('*') ? '*' : good
}

/** Escaped, with `*.` as one label; the original leaves the start unanchored. */
function originPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\*', '[A-Za-z0-9-]+')
}
