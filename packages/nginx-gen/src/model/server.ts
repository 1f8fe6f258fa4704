// A server: one host name with its locations and what only a whole host can have.

import type { BackendEndpoint } from './backend.ts'
import type { Location } from './location.ts'

/** Name of the server that answers for hosts no rule names. */
export const catchAllHost = '_'

/** One server of the model; servers are sorted by host. */
export interface Server {
  /** `_`, a host name, or `*.` and a host name. */
  readonly host: string
  readonly aliases: readonly string[]
  /** In the order of the file: longest path text first, then descending. */
  readonly locations: readonly Location[]
  /** Whether any location makes the whole host match by expressions (reference: regex enforcement). */
  readonly usesRegex: boolean
  /** Id of the certificate in `Model.tls`; `default` for the default one; absent when no `tls` section names the host. */
  readonly certificate: string | undefined
  readonly clientAuth: ClientAuth | undefined
  readonly ciphers: string | undefined
  readonly prefersServerCiphers: boolean | undefined
  readonly proxyTls: ProxyTls | undefined
  readonly snippet: string | undefined
  /** TLS is handed through to this address by SNI. */
  readonly passthrough: BackendEndpoint | undefined
  readonly redirectsFromWww: boolean
}

/** Client certificates of a server; `denied` answers 403 to everything because its Secret cannot be used. */
export type ClientAuth =
  | { readonly kind: 'denied'; readonly reason: string }
  | {
      readonly kind: 'verify'
      /** Name of a file in `Model.files`. */
      readonly caFile: string
      readonly crlFile: string | undefined
      readonly verifyClient: 'on' | 'off' | 'optional' | 'optional_no_ca'
      readonly depth: number
      readonly errorPage: string | undefined
      readonly passCertificate: boolean
      /** Pattern that the subject must match. */
      readonly matchCn: string | undefined
    }

/** TLS towards the backend (`proxy-ssl-*`). File names are of `Model.files`. */
export interface ProxyTls {
  readonly caFile: string | undefined
  readonly pairFile: string | undefined
  readonly ciphers: string
  readonly protocols: string
  readonly verify: boolean
  readonly verifyDepth: number
  readonly name: string | undefined
  readonly serverName: boolean
}

/** A host that only redirects to its form with or without `www.`. */
export interface WwwRedirect {
  readonly from: string
  readonly to: string
  readonly certificate: string | undefined
}
