import { quoteWord } from '../text/words.ts'
import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j REJECT [--reject-with TYPE]`. */
export interface RejectTarget {
  readonly kind: 'reject'
  /** ICMP or TCP answer; the family's port-unreachable when absent. */
  readonly with?: string
}

const portUnreachable: { readonly [family: number]: string } = {
  4: 'icmp-port-unreachable',
  6: 'icmp6-port-unreachable',
}

/** `-j REJECT`. */
export const reject: TargetDefinition<RejectTarget> = defineTarget<RejectTarget>({
  kind: 'reject',
  names: ['REJECT'],
  options: { '--reject-with': 1 },
  print: (target, { form, family }) => {
    const answer = target.with ?? (form === 'save' ? portUnreachable[family] : undefined)
    return answer === undefined ? 'REJECT' : `REJECT --reject-with ${quoteWord(answer)}`
  },
  parse: ([option]) => {
    const answer = option?.values[0]
    return answer === undefined ? { kind: 'reject' } : { kind: 'reject', with: answer }
  },
  act: (target, packet) => ({ kind: 'reject', with: target.with ?? portUnreachable[packet.family] ?? '' }),
  describe: (target) => (target.with === undefined ? 'is rejected' : `is rejected with ${target.with}`),
})
