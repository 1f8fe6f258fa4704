// What a process and its children have used so far, from /proc.

import { readdirSync, readFileSync } from 'node:fs'

/**
 * Seconds of user and system time of a process and all that descend from it, also of those that ended (proc(5) stat, ticks
 * of 10 ms).
 */
export function cpuSeconds(pid: number): number {
  return treeOf(pid).reduce((sum, one) => one.slice(11, 15).reduce((all, ticks) => all + Number(ticks) / 100, sum), 0)
}

/** Memory in use, in MiB: the private part of each process of the tree, and what they share once. */
export function residentMiB(pid: number): number {
  const rollups = treeOf(pid).map(([id]) => readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))
  if (rollups.length === 1) return kilobytes(rollups[0] ?? '', 'Rss') / 1024
  return rollups.reduce((sum, text) => sum + kilobytes(text, 'Pss') / 1024, 0)
}

function kilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}: +([0-9]+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
}

/** Fields of stat behind the name, the id in place of the state: [0] id, [1] parent, [11] to [14] ticks of user and system. */
function treeOf(pid: number): string[][] {
  const all = readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap(readStat)
  const tree = all.filter(([id]) => id === String(pid))
  for (const one of tree) tree.push(...all.filter(([, parent]) => parent === one[0]))
  return tree
}

function readStat(id: string): string[][] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [[id, ...fields]]
  } catch {
    return []
  }
}
