// The contract of a match: how it is written, read back, and decided for a packet. One file per match keeps all three.

import type { IpFamily } from '@kubewire/kube-model'
import type { PacketState } from '../simulate/packet.ts'

/**
 * How rules are written. `restore` is the spelling that kube-proxy feeds to iptables-restore, `save` the one that
 * iptables-save 1.8.9 prints; both mean the same to the kernel.
 */
export interface PrintStyle {
  readonly form: 'restore' | 'save'
  readonly family: IpFamily
}

/** One option as it stood in a rule: `! --dport 80` is `{ name: '--dport', negated: true, values: ['80'] }`. */
export interface RuleOption {
  readonly name: string
  readonly negated: boolean
  readonly values: readonly string[]
}

/** Whether a match holds: yes, no, with a probability between 0 and 1, or not decidable from what is known. */
export type MatchResult = boolean | number | 'unknown'

/** How one kind of match is written, read and decided. */
export interface MatchDefinition<M extends { readonly kind: string }> {
  readonly kind: M['kind']
  /** `header`: part of the rule itself (`-s`, `-p`); `module`: loaded with `-m`. */
  readonly place: 'header' | 'module'
  /** Names after `-m` that belong to this match; none for header matches. */
  readonly modules: readonly string[]
  /** Option names and how many values each takes. */
  readonly options: { readonly [name: string]: number }
  /** Text without `-m NAME`, words quoted where they need it. */
  print(match: M, style: PrintStyle): string
  /** The match of these options, `undefined` when an option or value is not understood. */
  parse(options: readonly RuleOption[], module: string): M | undefined
  holds(match: M, packet: PacketState): MatchResult
  /** The condition in words, for traces. */
  describe(match: M): string
}

/** Declares a match; exists for type inference. */
export function defineMatch<M extends { readonly kind: string }>(definition: MatchDefinition<M>): MatchDefinition<M> {
  return definition
}

/** `!` before an option when it is negated. */
export function not(negated: boolean | undefined): '! ' | '' {
  return negated === true ? '! ' : ''
}
