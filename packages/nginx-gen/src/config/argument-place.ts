// Where an argument stands: what nginx expands and what the printer quotes depends on it.

/** Where an argument stands: what decides whether nginx expands variables in it. */
export interface ArgumentPlace {
  readonly directive: string
  /** Counts from 0. */
  readonly index: number
  /** Name of the enclosing block, empty at the top of the file. */
  readonly parent: string
}
