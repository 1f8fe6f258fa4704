// What a connection needs to know about whom it talks to and as whom. Every way to log in produces one of these.

import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'

/** TLS options of a connection, as `node:tls` names them. */
export interface TlsMaterial {
  readonly ca?: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
}

/** What one request carries. */
export interface Credentials {
  /** A list is sent as so many headers. */
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly tls: TlsMaterial
  /** Replaces our own agent: the way through a proxy. */
  readonly agent?: HttpAgent | HttpsAgent
}

/** An API server and the right to ask it. */
export interface Login {
  /** Base URL, `http:` or `https:`; a path in it is kept (proxies). */
  readonly server: string
  /** Credentials for the next request; called for each, so it caches. Rejects when they cannot be read. */
  credentials(): Promise<Credentials>
  /** Forgets cached credentials: the server refused them. */
  refresh(): void
}
