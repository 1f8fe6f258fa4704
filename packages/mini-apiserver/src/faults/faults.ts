// Faults on demand: rules that wait for a request to match them.

import { type FaultKind, placeOfFault } from './fault-kinds.ts'

/** One fault and when it happens. */
export interface FaultRule {
  readonly kind: FaultKind
  /** `list`, `watch`, `get`, `create` …; all when absent. */
  readonly verb?: string
  /** Plural of the resource; all when absent. */
  readonly resource?: string
  /** Name in the path. */
  readonly name?: string
  /** Part of the user agent. */
  readonly userAgent?: string
  /** Matching requests to let pass first; default 0. */
  readonly skip?: number
  /** Requests to hit; default 1, 0 for all. */
  readonly times?: number
  /** Frames of a watch to let pass first; default 0. */
  readonly frames?: number
  /** Milliseconds from the start of the request; default 0. */
  readonly afterMs?: number
  readonly status?: number
  /** `Retry-After` in seconds; 0 for none. */
  readonly retryAfter?: number
  readonly body?: string
  readonly chunk?: number
  readonly everyMs?: number
  /** Versions to go back, or milliseconds of skew. */
  readonly by?: number
  readonly downMs?: number
}

/** What of a request decides whether a rule matches. */
export interface FaultContext {
  readonly verb: string
  readonly resource: string
  readonly name: string
  readonly userAgent: string
}

/** Faults that are waiting. */
export interface FaultRules {
  /** Adds a rule. Server faults happen at once (or after `afterMs`) and are not kept. */
  add(rule: FaultRule): void
  clear(): void
  /** The rules that hit this request; each hit counts. */
  take(context: FaultContext): readonly FaultRule[]
  /** Rules that may still hit something. */
  list(): readonly FaultRule[]
}

interface Waiting {
  readonly rule: FaultRule
  skip: number
  left: number
}

/** No rules yet. `runServerFault` does what concerns the whole server. */
export function createFaultRules(runServerFault: (rule: FaultRule) => void): FaultRules {
  let waiting: Waiting[] = []
  return {
    add: (rule) => {
      if (placeOfFault(rule.kind) === 'server') {
        runServerFault(rule)
        return
      }
      const times = rule.times ?? 1
      waiting.push({ rule, skip: rule.skip ?? 0, left: times === 0 ? Number.POSITIVE_INFINITY : times })
    },
    clear: () => {
      waiting = []
    },
    take: (context) => {
      const hits: FaultRule[] = []
      for (const each of waiting) {
        if (!matches(each.rule, context)) continue
        if (each.skip > 0) each.skip--
        else {
          each.left--
          hits.push(each.rule)
        }
      }
      waiting = waiting.filter(({ left }) => left > 0)
      return hits
    },
    list: () => waiting.map(({ rule }) => rule),
  }
}

function matches(rule: FaultRule, { verb, resource, name, userAgent }: FaultContext): boolean {
  const isWatchFault = placeOfFault(rule.kind) === 'watch'
  if (isWatchFault && verb !== 'watch') return false
  return (
    (rule.verb === undefined || rule.verb === verb) &&
    (rule.resource === undefined || rule.resource === resource) &&
    (rule.name === undefined || rule.name === name) &&
    (rule.userAgent === undefined || userAgent.includes(rule.userAgent))
  )
}
