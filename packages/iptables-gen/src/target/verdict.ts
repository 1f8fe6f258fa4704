// The three targets without options: ACCEPT, DROP, RETURN.

import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j ACCEPT`: this table lets the packet pass. */
export interface AcceptTarget {
  readonly kind: 'accept'
}

/** `-j DROP`. */
export interface DropTarget {
  readonly kind: 'drop'
}

/** `-j RETURN`: back to the calling chain, or the policy of a built-in one. */
export interface ReturnTarget {
  readonly kind: 'return'
}

/** `-j ACCEPT`. */
export const accept: TargetDefinition<AcceptTarget> = defineTarget<AcceptTarget>({
  kind: 'accept',
  names: ['ACCEPT'],
  options: {},
  print: () => 'ACCEPT',
  parse: () => ({ kind: 'accept' }),
  act: (_, packet) => ({ kind: 'accept', packet }),
  describe: () => 'is accepted',
})

/** `-j DROP`. */
export const drop: TargetDefinition<DropTarget> = defineTarget<DropTarget>({
  kind: 'drop',
  names: ['DROP'],
  options: {},
  print: () => 'DROP',
  parse: () => ({ kind: 'drop' }),
  act: () => ({ kind: 'drop' }),
  describe: () => 'is dropped',
})

/** `-j RETURN`. */
export const returnTarget: TargetDefinition<ReturnTarget> = defineTarget<ReturnTarget>({
  kind: 'return',
  names: ['RETURN'],
  options: {},
  print: () => 'RETURN',
  parse: () => ({ kind: 'return' }),
  act: () => ({ kind: 'return' }),
  describe: () => 'returns',
})
