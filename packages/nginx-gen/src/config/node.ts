// The configuration tree: what we render, what the parser returns and what the simulator walks.
// Arguments say what their text means; only `quote.ts` knows how that is spelled in a file.

import type { ObjectRef } from '@kubewire/kube-model'

/** Where a node comes from: an object and the field in it. Printed nowhere, shown by `explain`. */
export interface Origin {
  readonly object: ObjectRef
  /** `spec.rules[0].http.paths[1]`, `metadata.annotations["…/app-root"]`. */
  readonly path: string
}

/** Place of a parsed node in its text; both count from 1. */
export interface ConfigPosition {
  readonly line: number
  readonly column: number
}

/**
 * One argument of a directive.
 *
 * - `word`: a constant of ours: keyword, number, `$variable`. Never a user's text.
 * - `literal`: text in which nothing expands, not even `$`.
 * - `interpolated`: text in which nginx variables expand and everything else is inert.
 * - `regex`: a pattern, in a place where nginx reads one; `$` is the end-of-text anchor.
 * - `list`: several parts that form one argument, with a separator between them (often the empty text).
 */
export type Argument = TextArgument | ListArgument

export interface TextArgument {
  readonly kind: 'word' | 'literal' | 'interpolated' | 'regex'
  readonly text: string
  /** Present where the text belongs to one route only: what stands here where routes are data. The printer ignores it. */
  readonly carrier?: Carrier
}

/** Stands for a text that travels with the route: a variable that the router fills, or a pattern that it has matched. */
export type Carrier =
  | {
      readonly kind: 'variable'
      readonly name: string
      /** Pattern, searched in the URI, whose groups the text names by `$1`, … */
      readonly pattern: string | undefined
    }
  | { readonly kind: 'matched' }

export interface ListArgument {
  readonly kind: 'list'
  readonly separator: string
  readonly items: readonly TextArgument[]
}

/** `name args;` */
export interface Directive {
  readonly kind: 'directive'
  readonly name: string
  readonly args: readonly Argument[]
  readonly origin?: Origin
  readonly position?: ConfigPosition
}

/** `name args { children }`. The condition of an `if` is held without its parentheses. */
export interface Block {
  readonly kind: 'block'
  readonly name: string
  readonly args: readonly Argument[]
  readonly children: readonly ConfigNode[]
  readonly origin?: Origin
  readonly position?: ConfigPosition
}

/** `# text`. Constants only: a user's text never goes into a comment (CVE-2026-4342). */
export interface Comment {
  readonly kind: 'comment'
  readonly text: string
  readonly position?: ConfigPosition
}

/** Text that is copied as it is: an administrator's snippet, or a tenant's where the risk level admits it. */
export interface Raw {
  readonly kind: 'raw'
  readonly text: string
  readonly origin?: Origin
}

/** `name { lua code }`: the body is Lua, a constant of ours, and is never built from data. */
export interface LuaBlock {
  readonly kind: 'lua'
  /** A directive that ends in `_by_lua_block`. */
  readonly name: string
  readonly code: string
  readonly position?: ConfigPosition
}

export type ConfigNode = Directive | Block | Comment | Raw | LuaBlock

/** A whole file, or the inside of a block. */
export type ConfigTree = readonly ConfigNode[]

/** What the constructors take: a bare text or number is a `word`. */
export type ArgumentLike = Argument | string | number

/** A constant of ours: keyword, number, variable. */
export function word(text: string | number): TextArgument {
  return { kind: 'word', text: String(text) }
}

/** Text in which nothing expands. */
export function literal(text: string): TextArgument {
  return { kind: 'literal', text }
}

/** Text in which nginx variables expand. */
export function interpolated(text: string): TextArgument {
  return { kind: 'interpolated', text }
}

/** A pattern in a place where nginx reads one. */
export function regex(text: string): TextArgument {
  return { kind: 'regex', text }
}

/** Several parts that form one argument: `list('', word('X-Name: '), literal(value))`. */
export function list(separator: string, ...items: readonly (TextArgument | string | number)[]): ListArgument {
  return { kind: 'list', separator, items: items.map((item) => (typeof item === 'object' ? item : word(item))) }
}

/** `name args;` */
export function directive(name: string, ...args: readonly ArgumentLike[]): Directive {
  return { kind: 'directive', name, args: args.map(argumentOf) }
}

/** `name args { children }`; for `if` the arguments are the condition without parentheses. */
export function block(name: string, args: readonly ArgumentLike[], children: ConfigTree): Block {
  return { kind: 'block', name, args: args.map(argumentOf), children }
}

/** `# text`, for constant text. */
export function comment(text: string): Comment {
  return { kind: 'comment', text }
}

/** Text that is copied as it is. */
export function raw(text: string, origin?: Origin): Raw {
  return origin === undefined ? { kind: 'raw', text } : { kind: 'raw', text, origin }
}

/** `name { code }` with constant Lua code. */
export function lua(name: `${string}_by_lua_block`, code: string): LuaBlock {
  return { kind: 'lua', name, code }
}

/** The same node, remembering where it comes from. */
export function withOrigin<T extends Directive | Block>(node: T, origin: Origin): T {
  return { ...node, origin }
}

function argumentOf(arg: ArgumentLike): Argument {
  return typeof arg === 'object' ? arg : word(arg)
}
