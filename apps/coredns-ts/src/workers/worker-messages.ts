// What the first process and its workers say to each other.

/** What every worker can be asked for. */
export interface GroupFacts {
  /** Its exposition for `/metrics`. */
  readonly metrics: string
  /** Plugins that are not ready, for `/ready`. */
  readonly waiting: readonly string[]
}

export type GroupFact = keyof GroupFacts

/** From a worker. */
export type FromWorker =
  /** It listens; the lines that tell so. */
  | { readonly kind: 'serving'; readonly startText: string }
  /** All workers are to be asked for this. */
  | { readonly kind: 'gather'; readonly id: number; readonly fact: GroupFact }
  /** Its own part. */
  | { readonly kind: 'told'; readonly id: number; readonly value: unknown }
  /** The Corefile changed. */
  | { readonly kind: 'changed' }

/** To a worker. */
export type ToWorker =
  | { readonly kind: 'tell'; readonly id: number; readonly fact: GroupFact }
  | { readonly kind: 'gathered'; readonly id: number; readonly values: readonly unknown[] }
  /** Load the Corefile; `told` says whether it is served now. */
  | { readonly kind: 'reload'; readonly id: number }
  | { readonly kind: 'end' }
