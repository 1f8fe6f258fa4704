// The tls plugin's settings as Node takes them, and the half of `client_auth` that Node leaves to its user.

import { readFileSync } from 'node:fs'
import type { TLSSocket, TlsOptions } from 'node:tls'
import type { TlsConfig } from '@kubewire/dns-core'

/** Options of a TLS server. Throws when a file cannot be read. */
export function serverTlsOptions(tls: TlsConfig, handshakeTimeoutMs: number): TlsOptions {
  return {
    cert: readFileSync(tls.cert),
    key: readFileSync(tls.key),
    ...(tls.ca === undefined ? {} : { ca: readFileSync(tls.ca) }),
    handshakeTimeout: handshakeTimeoutMs,
    requestCert: tls.clientAuth !== undefined,
    rejectUnauthorized: tls.clientAuth === 'require_and_verify',
  }
}

/** Whether a client's certificate is as `client_auth` wants it; the handshake refused the rest. */
export function admitsClient(tls: TlsConfig, socket: TLSSocket): boolean {
  switch (tls.clientAuth) {
    case undefined:
    case 'request':
      return true
    case 'require':
      return hasCertificate(socket)
    case 'verify_if_given':
      return socket.authorized || !hasCertificate(socket)
    default:
      return socket.authorized
  }
}

function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate() ?? {}).length > 0
}
