// What is wrong with a user's input, as a value: collected and shown, never thrown.

import type { ObjectRef } from './objects/meta.ts'
import { printRef } from './objects/meta.ts'

/** Stable code of a problem, with its package's prefix (`DNS_`, `IPT_`, `NGX_`, `INF_`, `KIT_`, `MODEL_`). */
export type ProblemCode = string

/** One thing a user should know about their input, and what happens in spite of it. */
export interface Problem {
  readonly code: ProblemCode
  readonly severity: 'error' | 'warning'
  readonly object: ObjectRef
  /** Where in the object: `spec.ports[0].nodePort`, or empty for the whole. */
  readonly path: string
  /** What was expected and what was found, lower case, no full stop, values already quoted by `quoteFound`. */
  readonly message: string
  /** What happens now: `the default of 60 s is used`. */
  readonly fallback: string
  readonly position?: Position
}

/** A place in a text file; both count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column?: number
}

/** A result with the problems met on the way; the value is always usable. */
export interface WithProblems<T> {
  readonly value: T
  readonly problems: readonly Problem[]
}

/** Pairs a value with its problems (none by default). */
export function withProblems<T>(value: T, problems: readonly Problem[] = []): WithProblems<T> {
  return { value, problems }
}

/** One line for logs and terminals: position or object, path, message, fallback, code. */
export function printProblem(problem: Problem): string {
  const { position, object, path, message, fallback, code, severity } = problem
  const place = position
    ? `${position.file}:${position.line}${position.column === undefined ? '' : `:${position.column}`}: `
    : ''
  const where = path === '' ? printRef(object) : `${printRef(object)} ${path}`
  return `${place}${severity}: ${where}: ${message}${fallback === '' ? '' : `; ${fallback}`} (${code})`
}

/** A user's text as problems quote it: JSON quoting, control characters escaped, cut to 80 characters. */
export function quoteFound(found: unknown): string {
  const text = typeof found === 'string' ? found : (JSON.stringify(found) ?? String(found))
  const cut = text.length > 80 ? `${text.slice(0, 79)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
