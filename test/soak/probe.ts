// What the client asks all the time, and how an answer is told to the parent: one line of JSON for each.

/** The four ways in which clients use the cluster. */
export const probeKinds = ['dns', 'tcp', 'udp', 'http'] as const
export type ProbeKind = (typeof probeKinds)[number]

/** How one question went. */
export interface Probed {
  readonly kind: ProbeKind
  /** Which probed Service. */
  readonly index: number
  readonly startMs: number
  readonly endMs: number
  /** The endpoints that answered, or (DNS) are the answer; absent when there was none. */
  readonly endpoints?: readonly string[]
  /** Why there was none. */
  readonly error?: string
}

/** What the child is told on its command line, as JSON. */
export interface ProbePlan {
  readonly services: number
  /** Questions a second, each kind. */
  readonly rates: Readonly<Record<ProbeKind, number>>
  readonly timeoutMs: number
}
