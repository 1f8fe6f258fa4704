// Keys that decide what tenants may do, and lists that bar clients.
// Source: ingress-nginx 1.15 docs/user-guide/nginx-configuration/configmap.md.

import { cidr, cidrList, flag, oneOf, splitList } from '../annotations/values.ts'
import type { Setting, SettingTable } from './define.ts'
import { anyList, goodItems, plain, textOrExpression } from './values.ts'

/** How much an annotation may change: the risk of each stands in its definition. */
export type RiskLevel = 'Low' | 'Medium' | 'High' | 'Critical'

export interface SecuritySettings {
  readonly 'allow-snippet-annotations': boolean
  readonly 'allow-cross-namespace-resources': boolean
  readonly 'annotations-risk-level': RiskLevel
  readonly 'annotation-value-word-blocklist': readonly string[]
  readonly 'strict-validate-path-type': boolean
  readonly 'global-allowed-response-headers': readonly string[]
  readonly 'block-cidrs': readonly string[]
  readonly 'block-user-agents': readonly string[]
  readonly 'block-referers': readonly string[]
  readonly 'denylist-source-range': readonly string[]
  readonly 'whitelist-source-range': readonly string[]
}

/** The keys of this area. */
export const securitySettings: SettingTable<SecuritySettings> = {
  'allow-snippet-annotations': plain(flag, false, 'lets annotations hold raw nginx configuration'),
  'allow-cross-namespace-resources': plain(
    flag,
    false,
    'lets annotations name Secrets and ConfigMaps of other namespaces',
  ),
  'annotations-risk-level': {
    value: riskLevel(),
    fallback: 'High',
    summary: 'highest risk of an annotation that is accepted',
    // COMPAT: an unknown word is the lowest level (ingress-nginx config.go StringRiskToRisk).
    invalid: () => 'Low',
  },
  'annotation-value-word-blocklist': plain(anyList, [], 'texts that no annotation value may contain'),
  'strict-validate-path-type': plain(flag, true, 'admission refuses odd characters in Exact and Prefix paths'),
  'global-allowed-response-headers': plain(anyList, [], 'header names that custom-headers may set'),
  'block-cidrs': rangeList('clients that are refused everywhere'),
  'block-user-agents': goodItems(textOrExpression, [], 'user agents that are refused; ~ begins an expression'),
  'block-referers': goodItems(textOrExpression, [], 'referers that are refused; ~ begins an expression'),
  'denylist-source-range': rangeList('default of the annotation of this name'),
  'whitelist-source-range': {
    ...rangeList('default of allowlist-source-range'),
    // An allow list of which nothing is left allows nobody.
    invalid: (text) => (goodRanges(text).length > 0 ? goodRanges(text) : ['0.0.0.0/32']),
  },
}

function riskLevel(): ReturnType<typeof oneOf<RiskLevel>> {
  return oneOf(['Low', 'Medium', 'High', 'Critical'])
}

function rangeList(summary: string): Setting<readonly string[]> {
  return { value: cidrList, fallback: [], summary, invalid: goodRanges }
}

function goodRanges(text: string): readonly string[] {
  return splitList(text)
    .map((item) => cidr.parse(item))
    .filter((range) => range !== undefined)
}
