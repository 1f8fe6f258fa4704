// Annotations of an nginx module that Debian does not have: each is checked and reported, none has an effect.
// Source: reference, what nginx 1.22 of Debian 12 can do.

import type { RiskLevel } from '../settings/security.ts'
import { type Annotation, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag, textOf, type ValueParser } from './values.ts'

function unavailableAnnotation<T>(
  name: string,
  value: ValueParser<T>,
  risk: RiskLevel,
  summary: string,
  tier: 2 | 3,
): Annotation<T> {
  const fallback = 'no effect'
  return defineAnnotation({
    names: [name],
    group: 'other',
    scope: name.includes('telemetry') ? 'location' : 'ingress',
    risk,
    value,
    invalid: 'ignore',
    fallback,
    summary: `${summary}: not available`,
    tier,
  })
}

const enableOpentelemetry = unavailableAnnotation('enable-opentelemetry', flag, 'Low', 'tracing', 2)
const trustIncomingSpan = unavailableAnnotation('opentelemetry-trust-incoming-span', flag, 'Low', 'its parents', 3)
const operationName = {
  ...unavailableAnnotation(
    'opentelemetry-operation-name',
    textOf(/^[A-Za-z0-9_-]*$/, 'letters, digits, - and _'),
    'Medium',
    'its span names',
    3,
  ),
  invalid: 'refuse',
} as const

/** Never has a value. */
export const unavailable: Family<undefined> = defineFamily({
  name: 'unavailable',
  annotations: [enableOpentelemetry, trustIncomingSpan, operationName],
  resolve: (read, context) => {
    if (read(enableOpentelemetry)) context.unavailable(enableOpentelemetry, 'requests are not traced')
    read(operationName)
    return undefined
  },
})
