// What a simulation returns: every way the packet can go, with its probability and the rules that decided.

import type { Rule } from '../ruleset/rule.ts'
import type { TableName } from '../ruleset/ruleset.ts'
import type { Packet, PacketState } from './packet.ts'

/** A rule that matched, or a policy that decided. */
export interface TraceStep {
  readonly table: TableName
  readonly hook: string
  readonly chain: string
  /** Position in the chain, from 1; 0 for a policy. */
  readonly position: number
  readonly rule?: Rule
  readonly before: PacketState
  /** The packet after the rule, where the rule changed it. */
  readonly after?: PacketState
  /** Probability that the rule matched, where chance decided. */
  readonly probability?: number
  /** Matches that could not be decided, in words: this step assumes that they hold. */
  readonly assumes?: readonly string[]
}

/** One way the packet can go. */
export interface Outcome {
  readonly verdict: 'accept' | 'drop' | 'reject'
  /** ICMP answer of a reject. */
  readonly rejectsWith?: string
  /** Probability, 0 to 1, given the assumptions. */
  readonly probability: number
  readonly packet: PacketState
  /** To a process of this machine, through it, or out of it. */
  readonly path: 'input' | 'forward' | 'output'
  readonly steps: readonly TraceStep[]
  /** What had to be assumed about matches that we do not know. */
  readonly assumptions: readonly string[]
}

/** All ways a packet can go. Probabilities add up to 1 when nothing had to be assumed. */
export interface Trace {
  readonly packet: Packet
  readonly outcomes: readonly Outcome[]
  /** More ways existed than are followed. */
  readonly isCut: boolean
}
