// Locations that fetch an error page from a backend: the answer's body and status replace those of the error.
// Source: ingress-nginx 1.15 template CUSTOM_ERRORS.

import { withoutModsecurity } from '../annotations/modsecurity.ts'
import { type Block, block, directive, literal, regex, type TextArgument, word } from '../config/node.ts'

import type { Settings } from '../settings/registry.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'

/** Name of the location for one backend and status code. */
export function errorLocationName(backend: string, code: number): TextArgument {
  return literal(`@custom_${backend}_${code}`)
}

/** The location itself; stands in every server whose locations name it. */
export function errorLocation(
  backend: string,
  code: number,
  { settings, options }: { readonly settings: Settings; readonly options: ControllerOptions },
): Block {
  return block(
    'location',
    [errorLocationName(backend, code)],
    [
      directive('internal'),
      ...withoutModsecurity(settings, options),
      directive('proxy_intercept_errors', 'off'),
      ...headers.map(([name, value]) => directive('proxy_set_header', name, word(value))),
      directive('proxy_set_header', 'X-Code', code),
      directive('set', '$proxy_upstream_name', literal(backend)),
      directive('rewrite', regex('(.*)'), '/', 'break'),
      directive(
        'proxy_pass',
        options.balancing === 'dynamic' ? 'http://upstream_balancer' : 'http://$proxy_upstream_name',
      ),
    ],
  )
}

const headers: readonly (readonly [string, string])[] = [
  ['X-Format', '$http_accept'],
  ['X-Original-URI', '$request_uri'],
  ['X-Namespace', '$namespace'],
  ['X-Ingress-Name', '$ingress_name'],
  ['X-Service-Name', '$service_name'],
  ['X-Service-Port', '$service_port'],
  ['X-Request-ID', '$req_id'],
  ['X-Forwarded-For', '$remote_addr'],
  ['Host', '$best_http_host'],
]
