// rewrite-target, use-regex, app-root and x-forwarded-prefix.
// Source: ingress-nginx 1.15 annotations/rewrite, template buildProxyPass.

import { quoteFound } from '@kubewire/kube-model'
import { directive, interpolated, regex } from '../config/node.ts'
import { compiles } from './compiles.ts'
import {
  at,
  defineAnnotation,
  defineFamily,
  type Family,
  hostRedirect,
  matchedPerRoute,
  type Placed,
  perRoute,
  type ResolveContext,
  requestHeader,
} from './define.ts'
import { flag, pathWithCaptures } from './values.ts'
import { withKnownVariables } from './variables.ts'

/** How a location changes the request's path. */
export interface Rewrite {
  readonly target: string | undefined
  readonly usesRegex: boolean
  readonly appRoot: string | undefined
  readonly forwardedPrefix: string | undefined
}

const rewriteTarget = defineAnnotation({
  names: ['rewrite-target'],
  group: 'routing',
  scope: 'ingress',
  risk: 'Medium',
  value: pathWithCaptures,
  invalid: 'ignore',
  fallback: 'the path is not rewritten',
  summary: 'replaces the path of the request; $1 and so on are groups of the rule path',
  tier: 1,
})

const useRegex = defineAnnotation({
  names: ['use-regex'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'false',
  summary: 'reads the paths as regular expressions',
  tier: 1,
})

const appRoot = defineAnnotation({
  names: ['app-root'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: {
    expected: 'an absolute path',
    parse: (text) => (text.startsWith('/') ? pathWithCaptures.parse(text) : undefined),
  },
  invalid: 'ignore',
  fallback: '/ is not redirected',
  summary: 'redirects / to this path, for the whole host',
  tier: 1,
})

const forwardedPrefix = defineAnnotation({
  names: ['x-forwarded-prefix'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: pathWithCaptures,
  invalid: 'refuse',
  fallback: 'no header',
  summary: 'sends X-Forwarded-Prefix with this value where a rewrite is in force',
  tier: 2,
})

/** See the file header. */
export const rewrite: Family<Rewrite> = defineFamily({
  name: 'rewrite',
  annotations: [rewriteTarget, useRegex, appRoot, forwardedPrefix],
  resolve: (read, context) => {
    const value: Rewrite = {
      target: withKnownVariables(rewriteTarget, read(rewriteTarget), context, true),
      usesRegex: read(useRegex) ?? false,
      appRoot: withKnownVariables(appRoot, read(appRoot), context, true),
      forwardedPrefix: withKnownVariables(forwardedPrefix, read(forwardedPrefix), context, true),
    }
    for (const path of rulePaths(context)) {
      if (!forcesRegex(value, path) || isUsablePattern(path)) continue
      const message = `expected a path that compiles as an expression, got ${quoteFound(path)}`
      context.refuse(value.usesRegex ? useRegex : rewriteTarget, message)
    }
    return value
  },
  render: (value, { location }) => {
    const placed: Placed[] = []
    if (value.appRoot !== undefined) {
      const target = interpolated(`$scheme://$http_host${value.appRoot}`)
      placed.push(hostRedirect('/', 302, target))
    }
    const path = location.route.match === 'regex' ? location.route.path : location.route.rulePath
    if (value.target === undefined || value.target === path) return placed
    // COMPAT: the pattern is not anchored (template buildProxyPass).
    const pattern = `(?i)${path}`
    const target = interpolated(value.target)
    // An address makes it a redirect: nginx must see it.
    const isAddress = /^(?:https?:\/\/|\$scheme)/.test(value.target)
    const uri = isAddress ? target : perRoute('route_uri', target, pattern)
    const matched = isAddress ? regex(pattern) : matchedPerRoute(regex(pattern))
    placed.push(at('rewrite', directive('rewrite', matched, uri, 'break')))
    if (value.forwardedPrefix !== undefined) {
      const prefix = interpolated(value.forwardedPrefix)
      placed.push(requestHeader('X-Forwarded-Prefix', perRoute('route_prefix', prefix, pattern)))
    }
    return placed
  },
})

/** Whether this location makes its whole host match by expressions (reference: regex enforcement). */
export function forcesRegex(value: Rewrite, path: string): boolean {
  return value.usesRegex || (value.target !== undefined && value.target !== path)
}

function rulePaths({ ingress }: ResolveContext): readonly string[] {
  return (ingress?.spec?.rules ?? []).flatMap((rule) => (rule.http?.paths ?? []).map(({ path }) => path || '/'))
}

/** Whether a rule path can stand in a location of a host that matches by expressions. */
export function isUsablePattern(path: string): boolean {
  return compiles(`^${path}`)
}
