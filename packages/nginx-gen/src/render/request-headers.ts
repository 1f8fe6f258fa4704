// Headers of requests to backends. They are equal everywhere and stand once in http; a location that changes one of
// them repeats the list, since nginx inherits it as a whole or not at all.
// Source: ingress-nginx 1.15 template, location part; reference: headers to the upstream.

import { type Argument, type Directive, directive, interpolated, literal, word } from '../config/node.ts'
import type { Model } from '../model/model.ts'

/** A header and its value. */
export interface RequestHeader {
  readonly name: string
  readonly value: Argument
}

/** What every backend gets. */
export function commonRequestHeaders({ settings, global }: Model): readonly RequestHeader[] {
  const chain = settings['use-forwarded-headers'] && settings['compute-full-forwarded-for']
  const common: (readonly [string, string])[] = [
    ['Host', '$best_http_host'],
    ['Upgrade', '$http_upgrade'],
    ['Connection', '$connection_upgrade'],
    ['X-Request-ID', '$req_id'],
    ['X-Real-IP', '$remote_addr'],
    ['X-Forwarded-For', chain ? '$full_x_forwarded_for' : '$remote_addr'],
    ['X-Forwarded-Host', '$best_http_host'],
    ['X-Forwarded-Port', '$pass_port'],
    ['X-Forwarded-Proto', '$pass_access_scheme'],
    ['X-Forwarded-Scheme', '$pass_access_scheme'],
    ...(settings['proxy-add-original-uri-header'] ? [['X-Original-URI', '$request_uri'] as const] : []),
    ['X-Scheme', '$pass_access_scheme'],
    ['X-Original-Forwarded-For', headerVariable(settings['forwarded-for-header'])],
    ['X-Original-Forwarded-Host', headerVariable(settings['forwarded-host-header'])],
    // httpoxy (CVE-2016-5385): a Proxy header becomes a proxy setting in CGI programs.
    ['Proxy', ''],
  ]
  const own = common.map(([name, value]) => ({ name, value: value === '' ? literal('') : word(value) }))
  return withHeaders(
    own,
    global.requestHeaders.map(([name, value]) => ({ name, value: interpolated(value) })),
  )
}

/** The list with some headers replaced or added; names compare without case. */
export function withHeaders(
  base: readonly RequestHeader[],
  changes: readonly RequestHeader[],
): readonly RequestHeader[] {
  const changed = new Map(changes.map((header) => [header.name.toLowerCase(), header]))
  const kept = base.map((header) => changed.get(header.name.toLowerCase()) ?? header)
  const names = new Set(base.map(({ name }) => name.toLowerCase()))
  const added = [...changed].filter(([name]) => !names.has(name)).map(([, header]) => header)
  return [...kept, ...added]
}

/** The list as directives. */
export function renderHeaders(
  headers: readonly RequestHeader[],
  name: 'proxy_set_header' | 'grpc_set_header',
): readonly Directive[] {
  return headers.map((header) => directive(name, literal(header.name), header.value))
}

/** nginx's variable of a request header. */
export function headerVariable(header: string): string {
  return `$http_${header.toLowerCase().replaceAll('-', '_')}`
}
