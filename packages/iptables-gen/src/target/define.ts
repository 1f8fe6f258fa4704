// The contract of a target: how it is written, read back, and what it does to a packet.

import type { PrintStyle, RuleOption } from '../match/define.ts'
import type { PacketState } from '../simulate/packet.ts'

/** What a target does: go on, go elsewhere, or decide. */
export type Effect =
  | { readonly kind: 'continue'; readonly packet: PacketState }
  | { readonly kind: 'jump'; readonly chain: string; readonly returns: boolean }
  | { readonly kind: 'return' }
  /** Ends this table at this hook. */
  | { readonly kind: 'accept'; readonly packet: PacketState }
  | { readonly kind: 'drop' }
  | { readonly kind: 'reject'; readonly with: string }
  /** Not known what it does; both going on and deciding are possible. */
  | { readonly kind: 'unknown' }

/** How one kind of target is written, read and carried out. */
export interface TargetDefinition<T extends { readonly kind: string }> {
  readonly kind: T['kind']
  /** Names after `-j`; a jump has none. */
  readonly names: readonly string[]
  /** Option names and how many values each takes. */
  readonly options: { readonly [name: string]: number }
  /** Text after `-j`, the name included, words quoted where they need it. */
  print(target: T, style: PrintStyle): string
  /** The target of this name and these options, `undefined` when something is not understood. */
  parse(options: readonly RuleOption[], name: string): T | undefined
  act(target: T, packet: PacketState): Effect
  /** What happens, in words, for traces. */
  describe(target: T): string
}

/** Declares a target; exists for type inference. */
export function defineTarget<T extends { readonly kind: string }>(
  definition: TargetDefinition<T>,
): TargetDefinition<T> {
  return definition
}
