// With localhost node ports the kernel routes 127/8 (route_localnet); this rule keeps outsiders from using that.
// Source: kube-proxy 1.36, KUBE-FIREWALL; CVE-2020-8558.

import { type Cidr, parseCidr } from '@kubewire/kube-model'
import { rule } from '../../ruleset/rule.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf, placed, type StaticSection } from './section.ts'

/** 127.0.0.0/8. */
export const localnet: Cidr = parseCidr('127.0.0.0/8') as Cidr

/** The anti-martian rule of KUBE-FIREWALL. */
export const localnetGuardSection: StaticSection = ({ options }) =>
  options.localhostNodePorts
    ? placed(
        'filter',
        chainNames.firewall,
        rule(
          [
            { kind: 'source', negated: true, cidr: localnet },
            { kind: 'destination', cidr: localnet },
            commentOf('block incoming localnet connections'),
            { kind: 'conntrack-state', negated: true, states: ['RELATED', 'ESTABLISHED', 'DNAT'] },
          ],
          { kind: 'drop' },
        ),
      )
    : []
