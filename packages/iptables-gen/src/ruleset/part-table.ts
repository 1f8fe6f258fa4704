// A table in parts: what each Service contributes is made when somebody looks at it, and the table keeps nothing of it.
// So 160,000 rules take no more memory than the facts they are made of, and a table is changed and compared part by
// part. A class because it has to be a `ReadonlyMap`.

import { compareText } from '@kubewire/kube-model'
import type { Chain, Policy } from './chain.ts'
import type { Rule } from './rule.ts'

/** Something that contributes to a table; the same value contributes the same. */
export interface Part {
  /** Identity and place in the order of rules. */
  readonly key: string
}

/** How parts become rules. */
export interface PartMaker<P extends Part> {
  /** The chains that belong to the part alone. */
  own(part: P): readonly Chain[]
  /** Its rules in the chains that all parts share, in order; a chain may come more than once. */
  shared(part: P): readonly Chain[]
  /** About how many rules `own` has, without making them; 0 only when it has none. */
  estimate(part: P): number
}

/** A chain that exists once: the rules before and after those of the parts. */
export interface FrameChain {
  readonly name: string
  /** Present on built-in chains only. */
  readonly policy?: Policy
  readonly first: readonly Rule[]
  readonly last: readonly Rule[]
}

/** The chains that exist whatever the parts are, by name. */
export type Frame = ReadonlyMap<string, FrameChain>

/** A part of one table that is not the same value in another; without `after` it is gone. */
export interface PartChange<P extends Part> {
  readonly before?: P
  readonly after?: P
}

/** Chains by name, of a frame and of parts in the order of their keys; never changes. */
export class PartTable<P extends Part = Part> implements ReadonlyMap<string, Chain> {
  readonly maker: PartMaker<P>
  readonly frame: Frame
  readonly parts: readonly P[]
  // What was counted while chains were made: nobody makes them once more for their number alone.
  #ownCounts: WeakMap<P, number>
  #ruleCount: number | undefined
  /** Rules of the shared chains, as counted when they were made. */
  readonly #frameCounts = new Map<string, number>()
  #chains: ReadonlyMap<string, Chain> | undefined
  // What led here from the parts of the table before. Those are not kept: their list is only recognised.
  #change: { readonly from: WeakRef<readonly P[]>; readonly parts: readonly PartChange<P>[] } | undefined

  constructor(maker: PartMaker<P>, frame: Frame, parts: readonly P[]) {
    this.maker = maker
    this.frame = frame
    this.parts = parts
    this.#ownCounts = new WeakMap<P, number>()
  }

  /** The table after a change; costs as much as `changes`, which are all differences between the lists of parts. */
  with(frame: Frame, parts: readonly P[], changes: readonly PartChange<P>[]): PartTable<P> {
    const after = new PartTable(this.maker, frame, parts)
    after.#ownCounts = this.#ownCounts
    after.#change = { from: new WeakRef(this.parts), parts: changes }
    if (this.#ruleCount === undefined) return after
    let count = this.#ruleCount + countFrame(frame) - countFrame(this.frame)
    for (const change of changes) {
      if (change.after !== undefined) count += this.#countPart(change.after)
      if (change.before !== undefined) count -= this.#countPart(change.before)
    }
    after.#ruleCount = count
    return after
  }

  /** The parts that are not the same value in the table before. */
  changesSince(before: PartTable<P>): readonly PartChange<P>[] {
    if (before.parts === this.parts) return []
    return this.#change?.from.deref() === before.parts ? this.#change.parts : comparedParts(before.parts, this.parts)
  }

  /** Rules in the chains that are not built in. */
  get ruleCount(): number {
    if (this.#ruleCount !== undefined) return this.#ruleCount
    const names = [...this.frame.values()].filter(({ policy }) => policy === undefined).map(({ name }) => name)
    const missing = new Set(names.filter((name) => !this.#frameCounts.has(name)))
    if (missing.size > 0) this.frameChains(missing)
    const shared = names.reduce((sum, name) => sum + (this.#frameCounts.get(name) ?? 0), 0)
    this.#ruleCount = this.parts.reduce((sum, part) => sum + this.#countOwn(part), shared)
    return this.#ruleCount
  }

  /** The chains of one part, made anew. */
  ownChains(part: P): readonly Chain[] {
    const chains = this.maker.own(part)
    this.#ownCounts.set(part, countRulesOf(chains))
    return chains
  }

  /** One chain of the frame with the rules of all parts; `undefined` when it is none. */
  frameChain(name: string): Chain | undefined {
    return this.frameChains(new Set([name])).get(name)
  }

  /** The chains of the frame with the rules of all parts; only those of `names` when given. */
  frameChains(names?: ReadonlySet<string>): ReadonlyMap<string, Chain> {
    const wanted = names ?? new Set(this.frame.keys())
    const rulesOf = new Map<string, Rule[]>()
    for (const name of this.frame.keys()) if (wanted.has(name)) rulesOf.set(name, [])
    for (const { name, rules } of this.framePieces(wanted)) {
      const all = rulesOf.get(name) as Rule[]
      for (const rule of rules) all.push(rule)
    }
    const chains = new Map<string, Chain>()
    for (const [name, rules] of rulesOf) {
      const policy = this.frame.get(name)?.policy
      chains.set(name, policy === undefined ? { name, rules } : { name, rules, policy })
    }
    return chains
  }

  /** The same piece by piece: the rules of one chain come in order, those of several are mixed. */
  *framePieces(names: ReadonlySet<string>): Generator<Chain> {
    const counts = new Map<string, number>()
    for (const [name, { first }] of this.frame) {
      if (!names.has(name)) continue
      counts.set(name, first.length)
      if (first.length > 0) yield { name, rules: first }
    }
    for (const part of this.parts)
      for (const piece of this.maker.shared(part)) {
        const count = counts.get(piece.name)
        if (count === undefined) continue
        counts.set(piece.name, count + piece.rules.length)
        yield piece
      }
    for (const [name, count] of counts) {
      const { last } = this.frame.get(name) as FrameChain
      this.#frameCounts.set(name, count + last.length)
      if (last.length > 0) yield { name, rules: last }
    }
  }

  /** A chain of the frame to which no part adds anything. */
  plainChain(name: string): Chain {
    const frame = this.frame.get(name)
    if (frame === undefined) throw new Error(`${name} is no chain of the frame`)
    const { policy, first, last } = frame
    const rules = [...first, ...last]
    this.#frameCounts.set(name, rules.length)
    return policy === undefined ? { name, rules } : { name, rules, policy }
  }

  get size(): number {
    return this.#opened().size
  }

  get(name: string): Chain | undefined {
    return this.#opened().get(name)
  }

  has(name: string): boolean {
    return this.#opened().has(name)
  }

  entries(): MapIterator<[string, Chain]> {
    return this.#opened().entries()
  }

  keys(): MapIterator<string> {
    return this.#opened().keys()
  }

  values(): MapIterator<Chain> {
    return this.#opened().values()
  }

  [Symbol.iterator](): MapIterator<[string, Chain]> {
    return this.entries()
  }

  forEach(visit: (chain: Chain, name: string, table: ReadonlyMap<string, Chain>) => void): void {
    for (const [name, chain] of this) visit(chain, name, this)
  }

  #countOwn(part: P): number {
    return this.#ownCounts.get(part) ?? countRulesOf(this.ownChains(part))
  }

  #countPart(part: P): number {
    let count = this.#countOwn(part)
    for (const { rules } of this.maker.shared(part)) count += rules.length
    return count
  }

  // Whoever looks at chains by name, as simulators and printers do, has all of them from then on.
  #opened(): ReadonlyMap<string, Chain> {
    this.#chains ??= this.#open()
    return this.#chains
  }

  #open(): ReadonlyMap<string, Chain> {
    const chains = new Map(this.frameChains())
    for (const part of this.parts) for (const chain of this.ownChains(part)) chains.set(chain.name, chain)
    return chains
  }
}

function comparedParts<P extends Part>(old: readonly P[], now: readonly P[]): readonly PartChange<P>[] {
  const changes: PartChange<P>[] = []
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    const [a, b] = [old[i], now[j]]
    if (a === b && a !== undefined) {
      i += 1
      j += 1
      continue
    }
    const order = a === undefined ? 1 : b === undefined ? -1 : compareText(a.key, b.key)
    changes.push({
      ...(a !== undefined && order <= 0 ? { before: a } : {}),
      ...(b !== undefined && order >= 0 ? { after: b } : {}),
    })
    if (order <= 0) i += 1
    if (order >= 0) j += 1
  }
  return changes
}

function countRulesOf(chains: readonly Chain[]): number {
  return chains.reduce((sum, chain) => sum + chain.rules.length, 0)
}

function countFrame(frame: Frame): number {
  let count = 0
  for (const { policy, first, last } of frame.values()) if (policy === undefined) count += first.length + last.length
  return count
}
