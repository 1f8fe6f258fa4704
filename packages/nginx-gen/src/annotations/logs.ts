// enable-access-log and enable-rewrite-log.

import { directive } from '../config/node.ts'
import { defaultBackendName } from '../model/backend.ts'
import { at, defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag } from './values.ts'

/** What a location logs. */
export interface Logs {
  readonly access: boolean
  readonly rewrite: boolean
}

const enableAccessLog = defineAnnotation({
  names: ['enable-access-log'],
  group: 'other',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'true',
  summary: 'logs the requests of this location',
  tier: 2,
})

const enableRewriteLog = defineAnnotation({
  names: ['enable-rewrite-log'],
  group: 'other',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'false',
  summary: 'logs rewrites of this location',
  tier: 3,
})

/** See the file header. */
export const logs: Family<Logs> = defineFamily({
  name: 'logs',
  annotations: [enableAccessLog, enableRewriteLog],
  resolve: (read) => ({ access: read(enableAccessLog) ?? true, rewrite: read(enableRewriteLog) ?? false }),
  render: (value, { location, settings }) => {
    const isBuiltIn = location.route.ingress === undefined && location.route.backend === defaultBackendName
    const access = value.access && (!isBuiltIn || settings['enable-access-log-for-default-backend'])
    return [
      at(
        'logs',
        ...(access ? [] : [directive('access_log', 'off')]),
        ...(value.rewrite ? [directive('rewrite_log', 'on')] : []),
      ),
    ]
  },
})
