// Paths that are expressions and that nginx's library refuses. As text they are found by `nginx -t`; as data they would
// just never match, so the running nginx is asked about each new one before it counts.

import { type ObjectKey, objectKey } from '@kubewire/kube-model'
import type { DataPush } from '../nginx/data-push.ts'
import type { WantedState } from './render-state.ts'

/** A path that cannot be used, and why. */
export interface RefusedPath {
  readonly ingress: ObjectKey
  /** Field of the Ingress. */
  readonly field: string
  readonly message: string
}

/** Finds paths of routed hosts that cannot be used. */
export type PatternAudit = (wanted: Pick<WantedState, 'model' | 'data'>) => Promise<readonly RefusedPath[]>

/** Creates an audit that asks about each expression once while something uses it. */
export function createPatternAudit(push: Pick<DataPush, 'refusedPatterns'>): PatternAudit {
  let good: ReadonlySet<string> = new Set()
  return async ({ model, data }) => {
    const uses = model.servers.flatMap((server) =>
      server.usesRegex && Object.hasOwn(data.routes, server.host)
        ? server.locations.filter(({ route }) => route.match === 'regex' && route.ingress !== undefined)
        : [],
    )
    const patterns = new Set(uses.map(({ route }) => patternOf(route.path)))
    const unknown = [...patterns].filter((pattern) => !good.has(pattern))
    const refused = unknown.length === 0 ? new Map<string, string>() : await push.refusedPatterns(unknown)
    good = new Set([...patterns].filter((pattern) => !refused.has(pattern)))
    return uses.flatMap(({ route, field }) => {
      const message = refused.get(patternOf(route.path))
      if (message === undefined) return []
      const ingress = objectKey(route.ingress?.namespace, route.ingress?.name ?? '')
      return [{ ingress, field, message: `the path cannot be used as an expression: ${message}` }]
    })
  }
}

function patternOf(path: string): string {
  return `^${path}`
}
