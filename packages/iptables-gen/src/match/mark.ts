import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `-m mark [!] --mark VALUE/MASK`: tests bits of the packet mark. */
export interface MarkMatch {
  readonly kind: 'mark'
  readonly negated?: boolean
  readonly value: number
  readonly mask: number
}

/** `-m mark`. */
export const mark: MatchDefinition<MarkMatch> = defineMatch<MarkMatch>({
  kind: 'mark',
  place: 'module',
  modules: ['mark'],
  options: { '--mark': 1 },
  print: (match, { form }) => {
    const option = `${not(match.negated)}--mark`
    if (form === 'restore') return `${option} ${longHex(match.value)}/${longHex(match.mask)}`
    return `${option} ${match.mask === 0xffffffff ? shortHex(match.value) : printMark(match.value, match.mask)}`
  },
  parse: ([option]) => {
    const parsed = parseMark(option?.values[0] ?? '')
    if (parsed === undefined) return undefined
    return option?.negated ? { kind: 'mark', negated: true, ...parsed } : { kind: 'mark', ...parsed }
  },
  holds: (match, packet) => ((packet.mark & match.mask) >>> 0 === match.value) !== (match.negated === true),
  describe: (match) => `mark ${match.negated ? 'is not' : 'is'} ${printMark(match.value, match.mask)}`,
})

/** `0x4000/0x4000`, as iptables-save prints a mark with its mask. */
export function printMark(value: number, mask: number): string {
  return `${shortHex(value)}/${shortHex(mask)}`
}

/** Eight hex digits, as kube-proxy writes its mark (`0x00004000`). */
export function longHex(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`
}

/** `VALUE[/MASK]`, each decimal or hex, 32 bits. */
export function parseMark(text: string): { readonly value: number; readonly mask: number } | undefined {
  const match = /^(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})(?:\/(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10}))?$/.exec(text)
  if (match === null) return undefined
  const value = Number(match[1])
  const mask = match[2] === undefined ? 0xffffffff : Number(match[2])
  return value > 0xffffffff || mask > 0xffffffff ? undefined : { value, mask }
}

function shortHex(value: number): string {
  return `0x${(value >>> 0).toString(16)}`
}
