// enable-modsecurity, enable-owasp-core-rules, modsecurity-transaction-id, modsecurity-snippet: the web application
// firewall, where its module is installed. The ConfigMap switches it on for all, a location may leave it or add to it.
// Source: ingress-nginx 1.15 annotations/modsecurity, template buildModSecurityForLocation.

import { type ConfigNode, directive, interpolated, literal } from '../config/node.ts'
import type { Settings } from '../settings/registry.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { at, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag, snippet, variables } from './values.ts'
import { withKnownVariables } from './variables.ts'

/** What a location wants of the firewall. */
export interface Modsecurity {
  /** `undefined`: as the ConfigMap says. */
  readonly isOn: boolean | undefined
  readonly usesCoreRules: boolean
  readonly transactionId: string | undefined
  readonly rules: string | undefined
}

const common = { group: 'other', scope: 'ingress', invalid: 'ignore' } as const

const enableModsecurity = defineAnnotation({
  ...common,
  names: ['enable-modsecurity'],
  risk: 'Low',
  value: flag,
  fallback: 'the ConfigMap value (false)',
  summary: 'lets ModSecurity inspect requests; needs libnginx-mod-http-modsecurity',
  tier: 2,
})
const enableOwaspCoreRules = defineAnnotation({
  ...common,
  names: ['enable-owasp-core-rules'],
  risk: 'Low',
  value: flag,
  fallback: 'false',
  summary: 'adds the OWASP core rules; needs modsecurity-crs',
  tier: 2,
})
const transactionId = defineAnnotation({
  ...common,
  names: ['modsecurity-transaction-id'],
  risk: 'High',
  value: variables,
  fallback: 'one that ModSecurity makes',
  summary: 'id of the transaction, nginx variables expand',
  tier: 3,
})
const modsecuritySnippet = defineAnnotation({
  ...common,
  names: ['modsecurity-snippet'],
  risk: 'Critical',
  value: snippet,
  fallback: 'the installed rules',
  summary: 'rules instead of those that are installed',
  tier: 3,
})

/** See the file header. */
export const modsecurity: Family<Modsecurity> = defineFamily({
  name: 'modsecurity',
  annotations: [enableModsecurity, enableOwaspCoreRules, transactionId, modsecuritySnippet],
  resolve: (read, context) => {
    const isOn = read(enableModsecurity)
    const { settings, options } = context
    if (isOn && options.modules.modsecurity === undefined) {
      context.unavailable(enableModsecurity, 'requests are not inspected')
    }
    const given = read(modsecuritySnippet)
    if (given !== undefined && !settings['allow-snippet-annotations']) {
      context.warn(modsecuritySnippet, 'snippets are switched off by the administrator', 'the snippet is left out')
    }
    const rules = given === undefined || !settings['allow-snippet-annotations'] ? undefined : quotedText(given)
    if (rules === null) context.refuse(modsecuritySnippet, 'expected rules in which each single quote is escaped')
    return {
      isOn,
      usesCoreRules: read(enableOwaspCoreRules) ?? false,
      transactionId: withKnownVariables(transactionId, read(transactionId), context),
      rules: rules ?? undefined,
    }
  },
  render: (value, { settings, options }) => {
    const nodes = renderLocation(value, settings, options)
    return nodes.length === 0 ? [] : [at('logs', ...nodes)]
  },
})

function renderLocation(value: Modsecurity, settings: Settings, { modules }: ControllerOptions): readonly ConfigNode[] {
  const files = modules.modsecurity
  const isOnForAll = settings['enable-modsecurity']
  if (files === undefined || (!isOnForAll && value.isOn !== true)) return []
  if (value.isOn === false) return [modsecurityOff()]
  return [
    ...(isOnForAll ? [] : [directive('modsecurity', 'on')]),
    ...(value.rules === undefined ? [] : [directive('modsecurity_rules', literal(value.rules))]),
    ...(value.transactionId === undefined
      ? []
      : [directive('modsecurity_transaction_id', interpolated(value.transactionId))]),
    ...(isOnForAll || value.rules !== undefined ? [] : [directive('modsecurity_rules_file', literal(files.rules))]),
    ...(settings['enable-owasp-modsecurity-crs'] || !value.usesCoreRules ? [] : renderCoreRules(files.coreRules)),
  ]
}

/** What holds for all locations, for `http`. */
export function renderModsecurity(settings: Settings, { modules }: ControllerOptions): readonly ConfigNode[] {
  const files = modules.modsecurity
  if (files === undefined || !settings['enable-modsecurity']) return []
  const rules = quotedText(settings['modsecurity-snippet'])
  return [
    directive('modsecurity', 'on'),
    rules ? directive('modsecurity_rules', literal(rules)) : directive('modsecurity_rules_file', literal(files.rules)),
    ...(settings['enable-owasp-modsecurity-crs'] ? renderCoreRules(files.coreRules) : []),
  ]
}

/** For locations that no client asks for: what is inspected for all is not inspected again there. */
export function withoutModsecurity(settings: Settings, { modules }: ControllerOptions): readonly ConfigNode[] {
  return modules.modsecurity !== undefined && settings['enable-modsecurity'] ? [modsecurityOff()] : []
}

function modsecurityOff(): ConfigNode {
  return directive('modsecurity', 'off')
}

function renderCoreRules(file: string | undefined): readonly ConfigNode[] {
  return file === undefined ? [] : [directive('modsecurity_rules_file', literal(file))]
}

/** COMPAT: the original writes rules between single quotes as they are, and nginx reads their escapes; `null`: they end early. */
function quotedText(text: string): string | null {
  const inner = text.replaceAll(/\\(["'\\trn])/g, '')
  if (inner.includes("'")) return null
  const meant: { readonly [letter: string]: string } = { t: '\t', r: '\r', n: '\n' }
  return text.replaceAll(/\\(["'\\trn])/g, (_, letter: string) => meant[letter] ?? letter)
}
