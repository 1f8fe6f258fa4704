// Annotations of nginx modules that Debian does not have, or that we do not load: each is checked and reported, none
// has an effect.
// Source: reference, what nginx 1.22 of Debian 12 can do.

import type { RiskLevel } from '../settings/security.ts'
import { type Annotation, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag, snippet, textOf, type ValueParser, variables } from './values.ts'

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

const enableModsecurity = unavailableAnnotation('enable-modsecurity', flag, 'Low', 'web application firewall', 2)
const enableOwaspCoreRules = unavailableAnnotation('enable-owasp-core-rules', flag, 'Low', 'its core rules', 2)
const transactionId = unavailableAnnotation('modsecurity-transaction-id', variables, 'High', 'its transaction id', 3)
const modsecuritySnippet = unavailableAnnotation('modsecurity-snippet', snippet, 'Critical', 'its raw rules', 3)
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
  annotations: [
    enableModsecurity,
    enableOwaspCoreRules,
    transactionId,
    modsecuritySnippet,
    enableOpentelemetry,
    trustIncomingSpan,
    operationName,
  ],
  resolve: (read, context) => {
    if (read(enableModsecurity)) context.unavailable(enableModsecurity, 'requests are not inspected')
    if (read(enableOpentelemetry)) context.unavailable(enableOpentelemetry, 'requests are not traced')
    read(operationName)
    return undefined
  },
})
