// What a connection needs to know about whom it talks to and as whom. Every way to log in produces one of these.

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
  readonly headers: { readonly [name: string]: string }
  readonly tls: TlsMaterial
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
