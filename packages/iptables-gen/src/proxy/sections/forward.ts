// KUBE-FORWARD: invalid packets are dropped, marked and established ones accepted.

import { rule } from '../../ruleset/rule.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf, placed, type StaticSection } from './section.ts'

/** nfacct object that counts packets dropped as INVALID. */
export const invalidCounter = 'ct_state_invalid_dropped_pkts'

/** Static rules of KUBE-FORWARD. */
export const forwardSection: StaticSection = ({ options, mark }) => [
  // An INVALID packet would leave untranslated and reset the connection (kubernetes/kubernetes#74839).
  ...(options.dropsInvalid
    ? placed(
        'filter',
        chainNames.forward,
        rule(
          [
            { kind: 'conntrack-state', states: ['INVALID'] },
            options.nfacct ? { kind: 'nfacct', name: invalidCounter } : undefined,
          ],
          { kind: 'drop' },
        ),
      )
    : []),
  ...placed(
    'filter',
    chainNames.forward,
    rule([commentOf('kubernetes forwarding rules'), { kind: 'mark', value: mark, mask: mark }], { kind: 'accept' }),
    rule(
      [
        commentOf('kubernetes forwarding conntrack rule'),
        { kind: 'conntrack-state', states: ['RELATED', 'ESTABLISHED'] },
      ],
      { kind: 'accept' },
    ),
  ),
]
