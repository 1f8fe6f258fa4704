// A settings class: the settings part of locations, rendered once for all routes that share it, as a named location that
// the router enters. What belongs to one route only is taken out and replaced by the variable that carries it.

import type { Argument, Carrier, ConfigNode, TextArgument } from '../config/node.ts'
import { block, directive, literal, regex, word } from '../config/node.ts'
import type { RenderedSettings } from '../render/render-model.ts'
import { hashText } from '../translate/hash.ts'
import { maxBodyBytes } from './max-body-bytes.ts'
import { parseTemplate } from './template.ts'

/** Settings that equal locations share, and what they need around them. */
export interface SettingsClass {
  /** `@class-…`, from a hash of all of it. */
  readonly name: string
  readonly location: ConfigNode
  readonly server: readonly ConfigNode[]
  readonly http: readonly ConfigNode[]
  /** Largest body that its locations take; 0 for any. */
  readonly maxBodyBytes: number
}

/** A text that travels with the route. */
export interface CarriedText {
  readonly variable: string
  readonly text: TextArgument
  /** Pattern whose groups the text names. */
  readonly pattern: string | undefined
}

/** The settings of a location, taken apart. */
export interface SplitSettings {
  readonly settingsClass: SettingsClass
  readonly carried: readonly CarriedText[]
}

/** Variables of the answers that a class gives before anything else: nginx gives them while it looks for a location. */
export const earlyAnswers = { slash: 'route_slash', tooLarge: 'route_too_large' } as const

/** Gives a class its name by its text. */
export type NameClass = (text: string) => string

/** Names by hash. Whoever searches collisions finds a name of their own: no text ever stands for another. */
export function createClassNames(): NameClass {
  const texts = new Map<string, string>()
  return (text) => {
    let name = `@class-${hashText(text)}`
    while ((texts.get(name) ?? text) !== text) name += '0'
    texts.set(name, text)
    return name
  }
}

/**
 * Splits the settings part of a location into its class and what travels with the route.
 *
 * @param outer - what http and the server say already, for the size of bodies
 */
export function splitSettings(
  settings: RenderedSettings,
  outer: readonly ConfigNode[],
  nameClass: NameClass,
): SplitSettings {
  const carried: CarriedText[] = []
  const keepsPatterns = usesUnsettledPattern(settings)
  const stands = (text: TextArgument): TextArgument => {
    const { carrier } = text
    if (carrier === undefined || staysInClass(text, carrier, keepsPatterns)) return bare(text)
    if (carrier.kind === 'matched') return regex('^')
    const { name, pattern } = carrier
    if (!carried.some(({ variable }) => variable === name)) carried.push({ variable: name, text: bare(text), pattern })
    return word(`$${name}`)
  }
  const body = settings.body.map((node) => replaceTexts(node, stands))
  const server = settings.server.map((node) => replaceTexts(node, stands))
  const declared = carried.map(({ variable }) =>
    block('map', [literal(''), `$${variable}`], [directive('default', literal(''))]),
  )
  const http = [...declared, ...settings.http]
  const name = nameClass(JSON.stringify([body, server, http]))
  const location = block('location', [name], [...renderEarlyAnswers(), ...body])
  return {
    settingsClass: { name, location, server, http, maxBodyBytes: maxBodyBytes([...outer, ...settings.body]) },
    carried,
  }
}

function renderEarlyAnswers(): readonly ConfigNode[] {
  return [
    block('if', [`$${earlyAnswers.tooLarge}`], [directive('return', 413)]),
    block('if', [`$${earlyAnswers.slash}`], [directive('return', 301, `$${earlyAnswers.slash}`)]),
  ]
}

// The router fills texts before the class runs: what changes later must be read where it stands.
function isSettled({ kind, text }: TextArgument): boolean {
  if (kind !== 'interpolated') return true
  return parseTemplate(text).every(
    (part) => typeof part === 'string' || 'group' in part || isSettledName(part.variable),
  )
}

function isSettledName(name: string): boolean {
  if (/^(?:http|cookie)_/.test(name)) return true
  return !/^(?:uri|document_uri|args|query_string|is_args|arg_.*|request_body|status|.*upstream.*|sent_.*|proxy_host|fastcgi_.*|auth_.*|escaped_request_uri|request_length|request_time|msec|remote_user)$/.test(
    name,
  )
}

// A pattern that one text keeps in the class is kept for all of them: they name its groups.
function usesUnsettledPattern({ body, server }: RenderedSettings): boolean {
  let found = false
  for (const node of [...body, ...server]) {
    replaceTexts(node, (text) => {
      const { carrier } = text
      if (carrier?.kind === 'variable' && carrier.pattern !== undefined && !isSettled(text)) found = true
      return text
    })
  }
  return found
}

function staysInClass(text: TextArgument, carrier: Carrier, keepsPatterns: boolean): boolean {
  if (carrier.kind === 'matched') return keepsPatterns
  return carrier.pattern === undefined ? !isSettled(text) : keepsPatterns
}

function bare({ kind, text }: TextArgument): TextArgument {
  return { kind, text }
}

/** The node with other texts in its arguments; the same object where none changed. */
export function replaceTexts(node: ConfigNode, replace: (text: TextArgument) => TextArgument): ConfigNode {
  if (node.kind !== 'directive' && node.kind !== 'block') return node
  const args = node.args.map((arg) => replaceArgument(arg, replace))
  const isSame = args.every((arg, at) => arg === node.args[at])
  if (node.kind === 'directive') return isSame ? node : { ...node, args }
  const children = node.children.map((child) => replaceTexts(child, replace))
  return isSame && children.every((child, at) => child === node.children[at]) ? node : { ...node, args, children }
}

function replaceArgument(arg: Argument, replace: (text: TextArgument) => TextArgument): Argument {
  if (arg.kind !== 'list') return replace(arg)
  const items = arg.items.map(replace)
  return items.every((item, at) => item === arg.items[at]) ? arg : { ...arg, items }
}
