import { quoteWord } from '../text/words.ts'
import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j CHAIN`, or `-g CHAIN` which does not come back here. */
export interface JumpTarget {
  readonly kind: 'jump'
  readonly chain: string
  readonly isGoto?: boolean
}

/** A jump to a chain of the same table. */
export const jump: TargetDefinition<JumpTarget> = defineTarget<JumpTarget>({
  kind: 'jump',
  names: [],
  options: {},
  print: (target) => quoteWord(target.chain),
  parse: (options, name) => (options.length === 0 ? { kind: 'jump', chain: name } : undefined),
  act: (target) => ({ kind: 'jump', chain: target.chain, returns: target.isGoto !== true }),
  describe: (target) => `${target.isGoto ? 'goes' : 'jumps'} to ${target.chain}`,
})
