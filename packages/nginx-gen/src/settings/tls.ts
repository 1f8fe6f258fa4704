// Keys of TLS towards clients.

import { bytesOf, flag, integer, memorySize, nginxTime, textOf, type ValueParser } from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { SettingTable } from './define.ts'
import { flagAs, plain, reference, textAs } from './values.ts'

export interface TlsSettings {
  readonly 'ssl-protocols': string
  readonly 'ssl-ciphers': string
  readonly 'ssl-ecdh-curve': string
  readonly 'ssl-dh-param': string
  readonly 'ssl-early-data': boolean
  readonly 'ssl-session-cache': boolean
  readonly 'ssl-session-cache-size': string
  readonly 'ssl-session-timeout': string
  readonly 'ssl-session-tickets': boolean
  readonly 'ssl-session-ticket-key': string
  readonly 'ssl-buffer-size': string
  readonly 'ssl-reject-handshake': boolean
  readonly hsts: boolean
  readonly 'hsts-max-age': number
  readonly 'hsts-include-subdomains': boolean
  readonly 'hsts-preload': boolean
  readonly 'enable-ocsp': boolean
}

const defaultCiphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'DHE-RSA-AES256-GCM-SHA384',
  'DHE-RSA-AES128-GCM-SHA256',
].join(':')

/** nginx wants at least eight pages (ngx_http_ssl_module, ssl_session_cache). */
const cacheSize: ValueParser<string> = {
  expected: 'a size of at least 32k',
  parse: (text) => {
    const value = memorySize.parse(text)
    return value !== undefined && bytesOf(value) >= 32 * 1024 ? value : undefined
  },
}

/** The keys of this area. */
export const tlsSettings: SettingTable<TlsSettings> = {
  'ssl-protocols': {
    value: textOf(
      /^(?:SSLv2|SSLv3|TLSv1|TLSv1\.1|TLSv1\.2|TLSv1\.3)(?: +(?:SSLv2|SSLv3|TLSv1|TLSv1\.1|TLSv1\.2|TLSv1\.3))*$/,
      'TLS versions',
    ),
    fallback: 'TLSv1.2 TLSv1.3',
    summary: 'TLS versions that clients may use',
    place: 'http',
    render: (text) => [directive('ssl_protocols', ...text.split(/ +/).map(literal))],
  },
  'ssl-ciphers': {
    value: textOf(/^[A-Za-z0-9!:+\-_@=. ]+$/, 'an OpenSSL cipher list'),
    fallback: defaultCiphers,
    summary: 'ciphers that clients may use',
    place: 'http',
    render: (text) => [directive('ssl_ciphers', literal(text)), directive('ssl_prefer_server_ciphers', 'on')],
  },
  'ssl-ecdh-curve': textAs(
    'ssl_ecdh_curve',
    textOf(/^[A-Za-z0-9:_-]+$/, 'curve names'),
    'auto',
    'curves for key exchange',
  ),
  'ssl-dh-param': plain(reference, '', 'Secret with dhparam.pem'),
  'ssl-early-data': flagAs('ssl_early_data', false, 'accepts TLS 1.3 early data'),
  'ssl-session-cache': plain(flag, true, 'remembers TLS sessions in shared memory'),
  'ssl-session-cache-size': plain(cacheSize, '10m', 'size of that memory'),
  'ssl-session-timeout': plain(nginxTime, '10m', 'how long a session may be resumed'),
  'ssl-session-tickets': flagAs('ssl_session_tickets', false, 'lets clients keep their session themselves'),
  'ssl-session-ticket-key': plain(textOf(/^[A-Za-z0-9+/=]+$/, 'base64 text'), '', 'key of session tickets'),
  'ssl-buffer-size': textAs('ssl_buffer_size', memorySize, '4k', 'size of a TLS record'),
  'ssl-reject-handshake': plain(flag, false, 'refuses TLS for names that no Ingress has'),
  hsts: plain(flag, true, 'sends Strict-Transport-Security over https'),
  'hsts-max-age': plain(integer, 31536000, 'its age, seconds'),
  'hsts-include-subdomains': plain(flag, true, 'adds includeSubDomains to it'),
  'hsts-preload': plain(flag, false, 'adds preload to it'),
  'enable-ocsp': plain(flag, false, 'staples answers of OCSP responders; needs the Lua module'),
}
