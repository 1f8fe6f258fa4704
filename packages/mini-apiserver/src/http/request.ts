// One request as handlers see it.

import type { IncomingMessage } from 'node:http'
import { ApiStatusError } from '../api-status.ts'
import { maxBodyBytes } from '../request/decode-body.ts'
import type { User } from './users.ts'

/** A request without its connection. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly user: User
  readonly userAgent: string
  readonly contentType: string
  readonly accept: string | undefined
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The whole body; throws 413 when it is too large. */
  body(): Promise<Uint8Array>
}

/** Wraps an incoming message. */
export function apiRequest(message: IncomingMessage, url: URL, query: URLSearchParams, user: User): ApiRequest {
  const { headers } = message
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query,
    user,
    userAgent: headers['user-agent'] ?? '',
    contentType: headers['content-type'] ?? '',
    accept: headers.accept,
    headers,
    body: () => readBody(message),
  }
}

async function readBody(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  if (bytes <= maxBodyBytes) return Buffer.concat(chunks)
  throw new ApiStatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${maxBodyBytes}`,
  })
}
