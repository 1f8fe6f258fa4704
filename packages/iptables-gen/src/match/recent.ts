// `-m recent`: lists of source addresses seen lately; kube-proxy's session affinity.

import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition } from './define.ts'

/** `-m recent --name NAME (--set | --rcheck --seconds N [--reap])`. */
export interface RecentMatch {
  readonly kind: 'recent'
  readonly name: string
  readonly action: 'set' | 'rcheck'
  readonly seconds?: number
  readonly reaps?: boolean
}

const masks: { readonly [family: number]: string } = {
  4: '255.255.255.255',
  6: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
}

/** `-m recent`, by source address. */
export const recent: MatchDefinition<RecentMatch> = defineMatch<RecentMatch>({
  kind: 'recent',
  place: 'module',
  modules: ['recent'],
  options: { '--name': 1, '--set': 0, '--rcheck': 0, '--seconds': 1, '--reap': 0, '--mask': 1, '--rsource': 0 },
  print: ({ name, action, seconds, reaps }, { form, family }) => {
    const check = `--${action}${seconds === undefined ? '' : ` --seconds ${seconds}`}${reaps ? ' --reap' : ''}`
    if (form === 'restore') return `--name ${quoteWord(name)} ${check}`
    return `${check} --name ${quoteWord(name)} --mask ${masks[family] ?? ''} --rsource`
  },
  parse: (options) => {
    const value = (name: string): string | undefined => options.find((option) => option.name === name)?.values[0]
    const has = (name: string): boolean => options.some((option) => option.name === name)
    const mask = value('--mask')
    const isWhole = mask === undefined || Object.values(masks).includes(mask)
    const isPlain = options.every((option) => !option.negated) && isWhole && has('--set') !== has('--rcheck')
    if (!isPlain) return undefined
    const seconds = value('--seconds')
    return {
      kind: 'recent',
      name: value('--name') ?? 'DEFAULT',
      action: has('--set') ? 'set' : 'rcheck',
      ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
      ...(has('--reap') ? { reaps: true } : {}),
    }
  },
  holds: (match, packet) => match.action === 'set' || packet.machine.recentLists?.has(match.name) === true,
  describe: (match) =>
    match.action === 'set'
      ? `remembers the source in ${match.name}`
      : `source seen in ${match.name} during the last ${match.seconds ?? 0} s`,
})
