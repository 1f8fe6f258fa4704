import { longHex, parseMark, printMark } from '../match/mark.ts'
import { defineTarget, type TargetDefinition } from './define.ts'

/** `-j MARK --set-xmark VALUE/MASK`: clears the bits of the mask, then flips those of the value. */
export interface MarkTarget {
  readonly kind: 'mark'
  readonly value: number
  readonly mask: number
}

/** `-j MARK`. kube-proxy writes `--or-mark M` for M/M and `--xor-mark M` for M/0. */
export const markTarget: TargetDefinition<MarkTarget> = defineTarget<MarkTarget>({
  kind: 'mark',
  names: ['MARK'],
  options: { '--set-xmark': 1, '--set-mark': 1, '--or-mark': 1, '--xor-mark': 1, '--and-mark': 1 },
  print: ({ value, mask }, { form }) => {
    if (form === 'restore' && value === mask) return `MARK --or-mark ${longHex(value)}`
    if (form === 'restore' && mask === 0) return `MARK --xor-mark ${longHex(value)}`
    return `MARK --set-xmark ${printMark(value, mask)}`
  },
  parse: ([option, ...rest]) => {
    const parsed = parseMark(option?.values[0] ?? '')
    if (option === undefined || parsed === undefined || rest.length > 0) return undefined
    const { value, mask } = parsed
    switch (option.name) {
      case '--set-xmark':
        return { kind: 'mark', value, mask }
      case '--set-mark':
        return { kind: 'mark', value, mask: (value | mask) >>> 0 }
      case '--or-mark':
        return { kind: 'mark', value, mask: value }
      case '--xor-mark':
        return { kind: 'mark', value, mask: 0 }
      default:
        return { kind: 'mark', value: 0, mask: ~value >>> 0 }
    }
  },
  act: ({ value, mask }, packet) => ({
    kind: 'continue',
    packet: { ...packet, mark: ((packet.mark & ~mask) ^ value) >>> 0 },
  }),
  describe: ({ value, mask }) => {
    if (value === mask) return `is marked with ${longHex(value)}`
    return mask === 0 ? `has the mark bits ${longHex(value)} flipped` : `gets mark ${printMark(value, mask)}`
  },
})
