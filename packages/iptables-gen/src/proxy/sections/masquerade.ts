// KUBE-MARK-MASQ marks, KUBE-POSTROUTING masquerades what is marked.

import { rule } from '../../ruleset/rule.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf, placed, type StaticSection } from './section.ts'

/** Static rules of masquerading. */
export const masqueradeSection: StaticSection = ({ mark }) => [
  ...placed(
    'nat',
    chainNames.postrouting,
    rule([{ kind: 'mark', negated: true, value: mark, mask: mark }], { kind: 'return' }),
    // The bit is cleared before masquerading so that a packet that comes by again is not masqueraded twice.
    rule([], { kind: 'mark', value: mark, mask: 0 }),
    rule([commentOf('kubernetes service traffic requiring SNAT')], { kind: 'masquerade', randomFully: true }),
  ),
  ...placed('nat', chainNames.markMasq, rule([], { kind: 'mark', value: mark, mask: mark })),
]
