// custom-headers: response headers from a ConfigMap; every name must be admitted by the administrator.
// Source: ingress-nginx 1.15 annotations/customheaders.

import { directive, list, literal } from '../config/node.ts'
import { at, defineAnnotation, defineFamily, type Family, referenceOf } from './define.ts'
import { basic, isHeaderName, isQualifiedName } from './values.ts'

const customHeadersAnnotation = defineAnnotation({
  names: ['custom-headers'],
  group: 'headers',
  scope: 'location',
  risk: 'Medium',
  value: basic,
  invalid: 'deny',
  fallback: 'the locations answer 503',
  summary: 'ConfigMap of response headers; each must be in global-allowed-response-headers',
  tier: 2,
})

/** Names and values; values are literal. */
export const customHeaders: Family<readonly (readonly [name: string, value: string])[]> = defineFamily({
  name: 'custom-headers',
  annotations: [customHeadersAnnotation],
  resolve: (read, context) => {
    const name = read(customHeadersAnnotation)
    if (name === undefined) return []
    // COMPAT: the namespace must be named and may be another one: what can be sent is the administrator's list.
    if (!isQualifiedName(name)) {
      context.deny(customHeadersAnnotation, 'expected namespace/name')
      return []
    }
    const reference = referenceOf(name, context.namespace)
    const data = context.snapshot.configMaps.get(reference.name, reference.namespace)?.data
    if (data === undefined) {
      context.deny(customHeadersAnnotation, 'the ConfigMap does not exist')
      return []
    }
    const entries = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))
    const allowed = context.settings['global-allowed-response-headers']
    const bad = entries.find(
      ([header, value]) =>
        !isHeaderName(header) || !allowed.includes(header) || !/^[\x20-\x7e]+$/.test(value) || value.length > 3000,
    )
    if (bad === undefined) return entries
    context.deny(customHeadersAnnotation, `the header ${JSON.stringify(bad[0])} is not allowed or not a header`)
    return []
  },
  render: (headers) =>
    headers.length === 0
      ? []
      : [
          at(
            'response',
            ...headers.map(([name, value]) =>
              directive('more_set_headers', list('', literal(name), literal(': '), literal(value))),
            ),
          ),
        ],
})
