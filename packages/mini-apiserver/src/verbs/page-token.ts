// Page tokens: base64url of `{"v":"meta.k8s.io/v1","rv":256,"start":"c2\u0000"}` (apiserver `storage/continue.go`).

import { badRequest } from '../api-status.ts'
import { isObject } from '../json.ts'

/** Where the next page begins: the version of the list (−1: whatever is there now) and the first key. */
export interface PageToken {
  readonly version: number
  readonly start: string
}

const format = 'meta.k8s.io/v1'

/** Prints a token. */
export function printPageToken({ version, start }: PageToken): string {
  return Buffer.from(JSON.stringify({ v: format, rv: version, start: `/${start}` })).toString('base64url')
}

/** Reads a token; throws the 400 of the original. */
export function parsePageToken(text: string): PageToken {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch (error) {
    throw refuse((error as Error).message)
  }
  if (!isObject(value)) throw refuse('not an object')
  const { v, rv, start } = value
  if (v !== format) throw refuse(`server does not recognize this encoded version ${String(v)}`)
  if (typeof rv !== 'number' || rv === 0)
    throw refuse('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  if (typeof start !== 'string' || start === '') {
    throw refuse('encoded start key empty (version meta.k8s.io/v1)')
  }
  const key = start.replace(/^\//, '')
  if (key.startsWith('/') || key.split('/').includes('..')) throw refuse(`continue key is not valid: ${start}`)
  return { version: rv, start: key }
}

function refuse(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`)
}
