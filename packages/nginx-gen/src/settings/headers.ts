// Keys about headers and the client's address.

import { cidrList, flag, nginxTime } from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { SettingTable } from './define.ts'
import { flagAs, goodItems, headerName, plain, reference } from './values.ts'

export interface HeaderSettings {
  readonly 'add-headers': string
  readonly 'proxy-set-headers': string
  readonly 'hide-headers': readonly string[]
  readonly 'allow-backend-server-header': boolean
  readonly 'server-tokens': boolean
  readonly 'use-forwarded-headers': boolean
  readonly 'compute-full-forwarded-for': boolean
  readonly 'forwarded-for-header': string
  readonly 'forwarded-for-proxy-protocol-header': string
  readonly 'forwarded-host-header': string
  readonly 'enable-real-ip': boolean
  readonly 'proxy-real-ip-cidr': readonly string[]
  readonly 'use-proxy-protocol': boolean
  readonly 'proxy-protocol-header-timeout': string
  readonly 'generate-request-id': boolean
  readonly 'proxy-add-original-uri-header': boolean
  readonly 'enable-underscores-in-headers': boolean
  readonly 'ignore-invalid-headers': boolean
}

/** The keys of this area. */
export const headerSettings: SettingTable<HeaderSettings> = {
  'add-headers': plain(reference, '', 'ConfigMap of headers for every response'),
  'proxy-set-headers': plain(reference, '', 'ConfigMap of headers for every backend'),
  'hide-headers': {
    ...goodItems(headerName, [], 'headers of backends that clients do not see'),
    place: 'http',
    render: (names) => names.map((name) => directive('proxy_hide_header', literal(name))),
  },
  'allow-backend-server-header': {
    value: flag,
    fallback: false,
    summary: 'passes the Server header of backends on',
    place: 'http',
    render: (on) => (on ? [directive('proxy_pass_header', 'Server')] : []),
  },
  'server-tokens': {
    value: flag,
    fallback: false,
    summary: 'sends a Server header of our own',
    place: 'http',
    render: (on) =>
      on
        ? [directive('server_tokens', 'on')]
        : [directive('server_tokens', 'off'), directive('more_clear_headers', 'Server')],
  },
  'use-forwarded-headers': plain(flag, false, 'trusts X-Forwarded-* of clients'),
  'compute-full-forwarded-for': plain(flag, false, 'appends to X-Forwarded-For instead of replacing it'),
  'forwarded-for-header': plain(headerName, 'X-Forwarded-For', 'header that holds the client address'),
  'forwarded-for-proxy-protocol-header': plain(
    headerName,
    'X-Forwarded-For-Proxy-Protocol',
    'internal header when PROXY protocol and forwarded headers are both on',
  ),
  'forwarded-host-header': plain(headerName, 'X-Forwarded-Host', 'header that holds the original host'),
  'enable-real-ip': plain(flag, false, 'takes the client address from a header without trusting the rest'),
  'proxy-real-ip-cidr': plain(cidrList, ['0.0.0.0/0'], 'sources whose headers are trusted'),
  'use-proxy-protocol': plain(flag, false, 'expects PROXY protocol on the http and https ports'),
  'proxy-protocol-header-timeout': plain(nginxTime, '5s', 'how long the passthrough listener waits for the header'),
  'generate-request-id': plain(flag, true, 'makes an X-Request-ID where the client sent none'),
  'proxy-add-original-uri-header': plain(flag, false, 'sends X-Original-URI to backends'),
  'enable-underscores-in-headers': flagAs('underscores_in_headers', false, 'accepts header names with underscores'),
  'ignore-invalid-headers': flagAs('ignore_invalid_headers', true, 'drops headers with odd names'),
}
