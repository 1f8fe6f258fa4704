// The tree of a Corefile: blocks of keys and directives, every word with its place.

import type { Name } from '../name.ts'

/** One word of a Corefile. */
export interface DirectiveToken {
  readonly text: string
  readonly file: string
  /** Counts from 1. */
  readonly line: number
}

/** A line `name args… { block }`; properties inside a block have the same shape. */
export interface Directive {
  readonly name: DirectiveToken
  readonly args: readonly DirectiveToken[]
  /** Lines inside the braces; `undefined` without braces. */
  readonly block?: readonly Directive[]
  /** The last token read, the place of errors that are found behind the line or block. */
  readonly end: DirectiveToken
}

/** Keys and directives as they stand in the file. */
export interface CorefileBlock {
  readonly keys: readonly DirectiveToken[]
  readonly directives: readonly Directive[]
}

/** One key of a block, taken apart. */
export interface BlockKey {
  readonly scheme: Scheme
  readonly zone: Name
  readonly port: number
}

/** Transports a block can ask for. */
export type Scheme = 'dns' | 'tls' | 'https' | 'https3' | 'quic' | 'grpc'

/** What plugins know about the block they are in. */
export interface BlockFacts {
  readonly zones: readonly Name[]
  readonly keys: readonly BlockKey[]
  /** Names of all directives of the block. */
  readonly directives: readonly string[]
  /** Directory that relative paths start in; empty is the working directory. */
  readonly root: string
  /** The default port of the process (`-dns.port`). */
  readonly defaultPort: number
}
