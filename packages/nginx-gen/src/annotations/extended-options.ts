// The flags together with what an extension adds: apart from the flags, because families are told the flags.

import { type ControllerOptions, defaultControllerOptions } from '../snapshot/controller-options.ts'
import type { Family } from './define.ts'

/** What translate and render go by: flags, and the annotation families of an extension. */
export interface ExtendedOptions extends ControllerOptions {
  /** Annotation families of an extension, after ours. */
  readonly extraFamilies: readonly Family<unknown>[]
}

/** The original's defaults, without an extension. */
export const defaultExtendedOptions: ExtendedOptions = { ...defaultControllerOptions, extraFamilies: [] }
