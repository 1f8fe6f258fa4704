// ssl-redirect, force-ssl-redirect, preserve-trailing-slash and use-port-in-redirects. Whether a host has a
// certificate can change without a reload, so the data plane decides at each request; the location says what is wanted.

import { directive } from '../config/node.ts'
import type { Settings } from '../settings/registry.ts'
import { at, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag } from './values.ts'

/** When and how a location redirects to https. */
export interface SslRedirect {
  readonly ifCertificate: boolean
  readonly always: boolean
  readonly keepsSlash: boolean
  readonly writesPort: boolean
}

const sslRedirectAnnotation = defineAnnotation({
  names: ['ssl-redirect'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (true)',
  summary: 'redirects to https where the host has TLS',
  tier: 1,
})

const forceSslRedirect = defineAnnotation({
  names: ['force-ssl-redirect'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: flag,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (false)',
  summary: 'redirects to https always',
  tier: 1,
})

const preserveTrailingSlash = defineAnnotation({
  names: ['preserve-trailing-slash'],
  group: 'routing',
  scope: 'location',
  risk: 'Medium',
  value: flag,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (false)',
  summary: 'keeps the slash at the end of the path in that redirect',
  tier: 3,
})

const usePortInRedirects = defineAnnotation({
  names: ['use-port-in-redirects'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (false)',
  summary: 'writes the port in redirects',
  tier: 3,
})

/** See the file header. */
export const sslRedirect: Family<SslRedirect> = defineFamily({
  name: 'ssl-redirect',
  annotations: [sslRedirectAnnotation, forceSslRedirect, preserveTrailingSlash, usePortInRedirects],
  resolve: (read, { settings, isBuiltIn }) => ({
    ifCertificate: read(sslRedirectAnnotation) ?? (settings['ssl-redirect'] && !isBuiltIn),
    always: read(forceSslRedirect) ?? (settings['force-ssl-redirect'] && !isBuiltIn),
    keepsSlash: read(preserveTrailingSlash) ?? settings['preserve-trailing-slash'],
    writesPort: read(usePortInRedirects) ?? (!isBuiltIn && settings['use-port-in-redirects']),
  }),
  render: (value, { location, settings, options }) => {
    const mode = redirectMode(value, location.route.path, settings)
    const port = at('response', directive('port_in_redirect', value.writesPort ? 'on' : 'off'))
    // Without Lua the redirect is an `if` of the location (render/static-balancing.ts).
    if (options.balancing === 'static') return [port]
    return [
      at(
        'variables',
        directive('set', '$ssl_redirect', mode),
        ...(value.keepsSlash ? [directive('set', '$redirect_slash', 'keep')] : []),
        ...(value.writesPort ? [directive('set', '$redirect_port', options.httpsPort)] : []),
      ),
      port,
    ]
  },
})

/** The same for a location that stays on http, whatever the Ingress says. */
export function withoutSslRedirect(value: SslRedirect): SslRedirect {
  return { ...value, ifCertificate: false, always: false, keepsSlash: false }
}

/** Whether a location redirects always, only where its host has a certificate, or never. */
export function redirectMode(value: SslRedirect, path: string, settings: Settings): 'always' | 'tls' | 'off' {
  // COMPAT: the path of the location is compared, not that of the request (template isLocationInLocationList).
  if (settings['no-tls-redirect-locations'].some((prefix) => path.startsWith(prefix))) return 'off'
  if (value.always) return 'always'
  return value.ifCertificate ? 'tls' : 'off'
}
