// What a ConfigMap key is: its type, its default, and the directives it becomes where it becomes any by itself.

import type { ValueParser } from '../annotations/values.ts'
import type { ConfigNode } from '../config/node.ts'
import type { OptionalModule } from '../snapshot/optional-modules.ts'

/** The block that a setting's directives stand in. */
export type SettingPlace = 'main' | 'events' | 'http' | 'stream'

/** One key. Settings without `render` are read by other files (annotation defaults, listeners, filters). */
export interface Setting<T> {
  readonly value: ValueParser<T>
  readonly fallback: T
  readonly summary: string
  /** What holds when the text does not parse, where the default would open what is meant to be closed. */
  invalid?(text: string): T
  readonly place?: SettingPlace
  /** Module without which it has no effect. */
  readonly module?: OptionalModule
  render?(value: T): readonly ConfigNode[]
}

/** Keys of one area with their definitions. */
export type SettingTable<S> = { readonly [K in keyof S]: Setting<S[K]> }
