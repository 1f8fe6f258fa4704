// default-backend, custom-http-errors, disable-proxy-intercept-errors: who answers for an empty backend, and whose page
// replaces an error of the backend. Which backend it is, is decided in translate/default-backend.ts.

import { directive, word } from '../config/node.ts'
import { defaultBackendName } from '../model/backend.ts'
import { errorLocation, errorLocationName } from '../render/error-pages.ts'
import { at, defineAnnotation, defineFamily, type Family, inServer, type Placed, requestHeader } from './define.ts'
import { flag, textOf, type ValueParser } from './values.ts'

/** How names of backends begin that stand in for empty ones. */
export const substitutePrefix = 'custom-default-backend-'

/** What a location does with errors. */
export interface ErrorHandling {
  /** Service of the Ingress's namespace. */
  readonly service: string | undefined
  /** Its backend, once it is known to have endpoints. */
  readonly backend: string | undefined
  /** Status codes that are replaced; `undefined`: those of the ConfigMap. */
  readonly codes: readonly number[] | undefined
  readonly keepsUpstreamErrors: boolean
}

/** nginx takes no page for 499, which no client would see. */
const codeList: ValueParser<readonly number[]> = {
  expected: 'status codes from 400 to 599 but 499 between commas',
  parse: (text) =>
    /^(?:(?!499)[45][0-9]{2}(?: *, *| +|(?=[45])|$))*$/.test(text)
      ? [...new Set([...text.matchAll(/[45][0-9]{2}/g)].map(Number))]
      : undefined,
}

const defaultBackendAnnotation = defineAnnotation({
  names: ['default-backend'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: textOf(/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'the name of a Service'),
  invalid: 'refuse',
  fallback: 'none',
  summary: 'Service that answers where the backend has no endpoints, and for custom-http-errors',
  tier: 2,
})

const customHttpErrors = defineAnnotation({
  names: ['custom-http-errors'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: codeList,
  invalid: 'refuse',
  fallback: 'the ConfigMap value',
  summary: 'status codes of the backend that are replaced by the default backend',
  tier: 2,
})

const disableProxyInterceptErrors = defineAnnotation({
  names: ['disable-proxy-intercept-errors'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'false',
  summary: 'keeps errors of the backend; only those of nginx itself are replaced',
  tier: 3,
})

/** See the file header. */
export const errorHandling: Family<ErrorHandling> = defineFamily({
  name: 'error-handling',
  annotations: [defaultBackendAnnotation, customHttpErrors, disableProxyInterceptErrors],
  resolve: (read, context) => {
    const service = read(defaultBackendAnnotation)
    if (service !== undefined && context.snapshot.services.get(service, context.namespace) === undefined) {
      context.warn(defaultBackendAnnotation, 'the Service does not exist', 'the default backend answers')
    }
    return {
      service,
      backend: undefined,
      codes: read(customHttpErrors),
      // COMPAT: the key of this name is about the codes of the ConfigMap alone (template, http part).
      keepsUpstreamErrors: read(disableProxyInterceptErrors) ?? false,
    }
  },
  render: (value, { location, settings, options }) => {
    const placed: Placed[] = []
    const backend = value.backend ?? defaultBackendName
    if (location.route.backend.startsWith(substitutePrefix)) {
      placed.push(...substituteHeaders.map(([name, text]) => requestHeader(name, word(text))))
    }
    const codes = value.codes ?? []
    if (codes.length === 0) return placed
    placed.push(
      at(
        'errors',
        ...(value.keepsUpstreamErrors ? [] : [directive('proxy_intercept_errors', 'on')]),
        ...codes.map((code) => directive('error_page', code, '=', errorLocationName(backend, code))),
      ),
      ...codes.map((code) => inServer(errorLocation(backend, code, { settings, options }))),
    )
    return placed
  },
})

/** Headers by which a substitute backend learns what it stands for. */
const substituteHeaders: readonly (readonly [string, string])[] = [
  ['X-Code', '503'],
  ['X-Format', '$http_accept'],
  ['X-Namespace', '$namespace'],
  ['X-Ingress-Name', '$ingress_name'],
  ['X-Service-Name', '$service_name'],
  ['X-Service-Port', '$service_port'],
]
