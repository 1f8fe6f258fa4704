// Words in front of a program that keep it on its cores and, where that is allowed, ahead of what else the machine does.

import { getuid } from 'node:process'

/** `taskset -c CORES …`; servers and load get the same. */
export function pinnedWords(cores: string): readonly string[] {
  const ahead = getuid?.() === 0 ? ['nice', '-n', '-15'] : []
  return ['taskset', '-c', cores, ...ahead]
}
