import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j MASQUERADE [--random-fully]`: the source becomes an address of the outgoing interface. */
export interface MasqueradeTarget {
  readonly kind: 'masquerade'
  readonly randomFully?: boolean
}

/** `-j MASQUERADE`. */
export const masquerade: TargetDefinition<MasqueradeTarget> = defineTarget<MasqueradeTarget>({
  kind: 'masquerade',
  names: ['MASQUERADE'],
  options: { '--random-fully': 0 },
  print: (target) => (target.randomFully ? 'MASQUERADE --random-fully' : 'MASQUERADE'),
  parse: (options) => (options.length > 0 ? { kind: 'masquerade', randomFully: true } : { kind: 'masquerade' }),
  act: (_, packet) => ({ kind: 'accept', packet: { ...packet, isSnat: true } }),
  describe: () => 'gets an address of this machine as its source',
})
