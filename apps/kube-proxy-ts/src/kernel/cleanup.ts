// Removes what kube-proxy's iptables mode left: jumps, chains, canaries. What the kubelet shares stays.
// Source: kube-proxy 1.36 pkg/proxy/iptables/proxier.go, CleanupLeftovers.

import {
  chainNames,
  isProxyChain,
  jumpHooks,
  parseSave,
  printRestoreRule,
  type Ruleset,
  splitWords,
  type TableName,
} from '@kubewire/iptables-gen'
import { createIptables, type Iptables } from './iptables.ts'
import { createNft } from './nft.ts'

/** The restore text that empties and removes the proxy's chains of the installed rules; empty when there are none. */
function cleanupText(installed: Ruleset): string {
  const chainsOf = (table: TableName): readonly string[] =>
    [...(installed.tables[table]?.keys() ?? [])].filter((name) => isOwned(table, name)).sort()
  let text = ''
  for (const table of ['filter', 'nat', 'mangle'] as const) {
    const chains = chainsOf(table)
    if (chains.length === 0) continue
    const flushes = chains.map((name) => `:${name} - [0:0]\n`).join('')
    text += `*${table}\n${flushes}${chains.map((name) => `-X ${name}\n`).join('')}COMMIT\n`
  }
  return text
}

function isOwned(table: TableName, name: string): boolean {
  return table === 'mangle' ? name === chainNames.canary : isProxyChain(name)
}

/** Removes jumps and chains of one family; gives what went wrong, empty when nothing did. */
export async function cleanUpIptables(
  iptables: Pick<Iptables, 'family' | 'save' | 'restore' | 'deleteRule'>,
): Promise<readonly string[]> {
  const problems: string[] = []
  const attempt = async (body: () => Promise<void>): Promise<void> => {
    try {
      await body()
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  for (const { table, from, to, rule } of jumpHooks) {
    if (to === chainNames.firewall) continue
    await attempt(() => iptables.deleteRule(table, from, splitWords(printRestoreRule(rule, iptables.family))))
  }
  await attempt(async () => {
    const { value } = parseSave(await iptables.save(), { family: iptables.family })
    const text = cleanupText(value)
    if (text !== '') await iptables.restore([text])
  })
  return problems
}

/** Removes the tables of nftables mode; gives what went wrong. A machine without nft has none. */
export async function cleanUpNftables(): Promise<readonly string[]> {
  const nft = createNft()
  const problems: string[] = []
  for (const family of [4, 6] as const) {
    if (!(await nft.hasTable(family))) continue
    await nft.deleteTable(family).catch((error: unknown) => {
      problems.push(error instanceof Error ? error.message : String(error))
    })
  }
  return problems
}

/** Removes what the other mode may have left on this machine before it was switched. */
export async function cleanUpOtherMode(mode: string): Promise<readonly string[]> {
  if (mode !== 'nftables') return cleanUpNftables()
  const problems = await Promise.all(
    ([4, 6] as const).map(async (family) => {
      const iptables = createIptables(family)
      // Without the program, or without a rule of ours, there is nothing to remove.
      const saved = await iptables.save().catch(() => '')
      return saved.includes('KUBE-') ? cleanUpIptables(iptables) : []
    }),
  )
  return problems.flat()
}
