// Keys of the external authentication that applies to every location.

import { flag, textOf, urlWithVariables, variables } from '../annotations/values.ts'
import type { SettingTable } from './define.ts'
import { anyLines, anyList, anyText, plain } from './values.ts'

export interface AuthSettings {
  readonly 'global-auth-url': string
  readonly 'global-auth-method': string
  readonly 'global-auth-signin': string
  readonly 'global-auth-signin-redirect-param': string
  readonly 'global-auth-response-headers': readonly string[]
  readonly 'global-auth-request-redirect': string
  readonly 'global-auth-snippet': string
  readonly 'global-auth-cache-key': string
  readonly 'global-auth-cache-duration': string
  readonly 'global-auth-always-set-cookie': boolean
}

/** The keys of this area. */
export const authSettings: SettingTable<AuthSettings> = {
  'global-auth-url': plain(urlWithVariables, '', 'service that allows or refuses every request'),
  'global-auth-method': plain(
    textOf(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE)$/, 'an HTTP method'),
    '',
    'method of the question to that service',
  ),
  'global-auth-signin': plain(urlWithVariables, '', 'page that a refused client is sent to'),
  'global-auth-signin-redirect-param': plain(
    textOf(/^[A-Za-z0-9_.~-]+$/, 'a parameter name'),
    'rd',
    'query parameter of that page with the original address',
  ),
  'global-auth-response-headers': plain(anyList, [], 'headers of the answer that the backend gets'),
  'global-auth-request-redirect': plain(anyText, '', 'value of X-Auth-Request-Redirect'),
  'global-auth-snippet': plain(anyLines, '', 'raw configuration for the question'),
  'global-auth-cache-key': plain(variables, '', 'caches answers under this key'),
  'global-auth-cache-duration': plain(anyText, '200 202 401 5m', 'how long answers are cached'),
  'global-auth-always-set-cookie': plain(flag, false, 'passes the cookie of the answer on with every status'),
}
