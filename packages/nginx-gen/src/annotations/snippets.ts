// configuration-snippet, server-snippet, stream-snippet: raw nginx configuration of tenants. Off by default; read only
// where the administrator allows them and accepts the critical risk. They are parsed before they are written: what is
// not balanced, or names a directive that reaches beyond its place, refuses the Ingress.

import { raw } from '../config/node.ts'
import { at, defineAnnotation, defineFamily, type Family, type ResolveContext } from './define.ts'
import { checkSnippet } from './snippet-check.ts'
import { snippet } from './values.ts'

/** Raw texts of an Ingress that are in force. */
export interface Snippets {
  readonly location: string | undefined
  readonly server: string | undefined
  readonly stream: string | undefined
}

const common = { group: 'other', risk: 'Critical', value: snippet, invalid: 'refuse', fallback: 'nothing' } as const

const configurationSnippet = defineAnnotation({
  ...common,
  names: ['configuration-snippet'],
  scope: 'location',
  summary: 'raw configuration of the locations',
  tier: 2,
})

const serverSnippet = defineAnnotation({
  ...common,
  names: ['server-snippet'],
  scope: 'ingress',
  summary: 'raw configuration of the host',
  tier: 2,
})

const streamSnippet = defineAnnotation({
  ...common,
  names: ['stream-snippet'],
  scope: 'ingress',
  summary: 'raw configuration of the stream block',
  tier: 3,
})

/** See the file header. */
export const snippets: Family<Snippets> = defineFamily({
  name: 'snippets',
  annotations: [configurationSnippet, serverSnippet, streamSnippet],
  resolve: (read, context) => ({
    location: allowed(configurationSnippet, read(configurationSnippet), context),
    server: allowed(serverSnippet, read(serverSnippet), context),
    stream: allowed(streamSnippet, read(streamSnippet), context),
  }),
  render: ({ location }) => (location === undefined ? [] : [at('snippet', raw(location))]),
})

/** The text if snippets are allowed and it is harmless beyond its own block. */
export function allowed(
  annotation: Parameters<ResolveContext['warn']>[0],
  text: string | undefined,
  context: ResolveContext,
): string | undefined {
  if (text === undefined) return undefined
  if (!context.settings['allow-snippet-annotations']) {
    context.warn(annotation, 'snippets are switched off by the administrator', 'the snippet is left out')
    return undefined
  }
  const finding = checkSnippet(text)
  if (finding === undefined) return text
  context.refuse(annotation, finding)
  return undefined
}
