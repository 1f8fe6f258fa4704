// Keeps what a proxy gives to iptables-restore: programs of the same names in front of the path, which copy their input
// aside and pass it on. For the original only; ours is held to the state.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseSync } from '@kubewire/iptables-gen/cases'

/** Copies of restored texts. */
export interface Capture {
  /** Forgets all copies. */
  clear(): void
  /** The youngest text of a family; empty when there is none. */
  last(family: 4 | 6): string
}

const programs = { 4: 'iptables-restore', 6: 'ip6tables-restore' } as const

/** Puts the copying programs into `bin`, in front of the variant (`nft`, `legacy`). */
export function captureRestores(dir: string, bin: string, variant: string): Capture {
  const folder = join(dir, 'restored')
  mkdirSync(folder)
  for (const program of Object.values(programs)) {
    const real = `/usr/sbin/${program.replace('-restore', '')}-${variant}-restore`
    const script = `#!/bin/sh\ntee "${folder}/${program}-$(date +%s%N)" | ${real} "$@"\n`
    rmSync(join(bin, program), { force: true })
    writeFileSync(join(bin, program), script, { mode: 0o755 })
  }
  return {
    clear() {
      for (const file of readdirSync(folder)) rmSync(join(folder, file))
    },
    last(family) {
      const files = readdirSync(folder).filter((file) => file.startsWith(`${programs[family]}-`))
      const newest = files.sort().at(-1)
      return newest === undefined ? '' : readFileSync(join(folder, newest), 'utf8')
    },
  }
}

const ownChain = /^:(KUBE-(?:SVC|SVL|EXT|FW|SEP)-\S+) /gm

/** Chains written and deleted by a restored text, sorted, and its rules by table. */
export function readRestore(text: string): Pick<CaseSync, 'chainsWritten' | 'chainsDeleted' | 'rulesLastSync'> {
  const deleted = [...text.matchAll(/^-X (\S+)/gm)].map((match) => match[1] ?? '').sort()
  const declared = [...text.matchAll(ownChain)].map((match) => match[1] ?? '')
  const written = declared.filter((chain) => !deleted.includes(chain)).sort()
  const rules = (table: string): number => {
    const from = text.indexOf(`*${table}\n`)
    return from < 0 ? 0 : (text.slice(from, text.indexOf('\nCOMMIT', from)).match(/^-A /gm)?.length ?? 0)
  }
  return {
    chainsWritten: written,
    chainsDeleted: deleted,
    rulesLastSync: { filter: rules('filter'), nat: rules('nat') },
  }
}
