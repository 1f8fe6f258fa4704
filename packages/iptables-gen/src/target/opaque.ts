// A target that we do not know: its words are kept, printed back, and named in traces.

import { quoteWord } from '../text/words.ts'
import { defineTarget, type TargetDefinition } from './define.ts'

/** An unknown target with the words that followed it. */
export interface OpaqueTarget {
  readonly kind: 'opaque'
  readonly name: string
  readonly words: readonly string[]
}

// These change nothing that decides where a packet goes, so a trace can pass them.
const harmless = new Set(['LOG', 'NFLOG', 'TRACE', 'CONNMARK', 'SET', 'TCPMSS', 'TOS', 'DSCP', 'CLASSIFY', 'AUDIT'])

/** Everything no other definition reads. */
export const opaqueTarget: TargetDefinition<OpaqueTarget> = defineTarget<OpaqueTarget>({
  kind: 'opaque',
  names: [],
  options: {},
  print: (target) => [target.name, ...target.words].map(quoteWord).join(' '),
  parse: () => undefined,
  act: (target, packet) => (harmless.has(target.name) ? { kind: 'continue', packet } : { kind: 'unknown' }),
  describe: (target) => `meets the unknown target ${[target.name, ...target.words].join(' ')}`,
})
