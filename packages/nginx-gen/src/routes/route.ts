// The routes of one host as data: what the Lua router reads (lua/kubewire/route.lua), as JSON, and its twin in match.ts.
// Numbers name an entry of `routes`, counted from 0.

import type { TemplatePart } from './template.ts'

/** What the table holds under one host name. */
export type HostEntry = HostRoutes | HostAlias | HostMoved

/** A host with its paths. */
export interface HostRoutes {
  readonly kind: 'host'
  /** Name as the rules write it: `_`, a host, or `*.` and a host. */
  readonly name: string
  /** Answers of the whole host to one path. */
  readonly redirects: readonly PathRedirect[]
  readonly exact: { readonly [path: string]: number }
  /** Prefixes that end in a slash. */
  readonly prefix: { readonly [path: string]: number }
  /** Length of the longest of them, in bytes. */
  readonly longest: number
  /** Prefixes that end elsewhere, longest first. */
  readonly odd: readonly (readonly [path: string, route: number])[]
  /** Expressions in order of the file; the first that matches has it. */
  readonly patterns: readonly PathPattern[]
  readonly routes: readonly RouteEntry[]
}

/** Another name of a host. */
export interface HostAlias {
  readonly kind: 'alias'
  readonly of: string
}

/** A host that only redirects to its form with or without `www.`. */
export interface HostMoved {
  readonly kind: 'moved'
  readonly status: number
  readonly target: readonly TemplatePart[]
}

/** An answer of the whole host to one path. */
export interface PathRedirect {
  readonly path: string
  readonly status: number
  readonly target: readonly TemplatePart[]
}

/** An expression, letter case ignored. */
export interface PathPattern {
  /** Lower-case start that every match has, to pass over most patterns cheaply. */
  readonly start: string
  readonly pattern: string
  readonly route: number
}

/** Where a request goes. */
export interface RouteEntry {
  /** Name of the settings class. */
  readonly class: string
  /** Variables to set: name, value, name, value … */
  readonly set: readonly string[]
  /** Variables whose texts name others, or groups of `pattern`. */
  readonly fill?: readonly { readonly variable: string; readonly parts: readonly TemplatePart[] }[]
  readonly pattern?: string
  /** Largest body; absent for any. */
  readonly maxBody?: number
  /** Path to which nginx sends a URI that lacks only the closing slash, as it stands in the answer. */
  readonly slash?: string
}
