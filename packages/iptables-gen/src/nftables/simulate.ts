// Follows a packet through a table of nftables mode. Knows nftables only: hooks by priority, verdicts, sets and maps.
// Random picks are enumerated with their probabilities.

import { contains, type Ip, parseIp } from '@kubewire/kube-model'
import { enterPacket, isLocalAddress, type Machine, type Packet, type PacketState } from '../simulate/packet.ts'
import type { Condition, Field, NftChain, NftHook, NftRule, NftTable, Statement, Verdict } from './table.ts'

/** One way the packet can go. */
export interface NftOutcome {
  readonly verdict: 'accept' | 'drop' | 'reject'
  readonly probability: number
  readonly packet: PacketState
  /** Chains that were entered, in order. */
  readonly chains: readonly string[]
}

interface Branch {
  readonly packet: PacketState
  readonly probability: number
  readonly chains: readonly string[]
}

interface Result {
  readonly branch: Branch
  readonly end: 'through' | 'accept' | 'drop' | 'reject'
}

/**
 * Every way that the first packet of a connection can go.
 *
 * @param machine - local addresses; affinity sets are empty
 */
export function simulateNftPacket(table: NftTable, packet: Packet, machine: Machine): readonly NftOutcome[] {
  const start: Branch = { packet: enterPacket(packet, machine), probability: 1, chains: [] }
  const outcomes: NftOutcome[] = []
  const run = (hook: NftHook['hook'], branches: readonly Branch[]): readonly Branch[] =>
    runHook(table, hook, branches, outcomes)
  const isLocal = (branch: Branch): boolean => isLocalAddress(machine, branch.packet.destination)
  if (packet.entry === 'local') {
    const out = run('postrouting', run('output', [start]))
    finish(outcomes, [...out.filter((branch) => !isLocal(branch)), ...run('input', out.filter(isLocal))])
  } else {
    const routed = run('prerouting', [start])
    const through = run(
      'postrouting',
      run(
        'forward',
        routed.filter((branch) => !isLocal(branch)),
      ),
    )
    finish(outcomes, [...through, ...run('input', routed.filter(isLocal))])
  }
  return outcomes
}

function finish(outcomes: NftOutcome[], branches: readonly Branch[]): void {
  for (const branch of branches) outcomes.push({ ...branch, verdict: 'accept' })
}

function runHook(
  table: NftTable,
  hook: NftHook['hook'],
  start: readonly Branch[],
  outcomes: NftOutcome[],
): readonly Branch[] {
  const bases = [...table.chains.values()].filter((chain) => chain.hook?.hook === hook)
  bases.sort((a, b) => (a.hook?.priority ?? 0) - (b.hook?.priority ?? 0))
  let open = start
  for (const base of bases) {
    const next: Branch[] = []
    for (const branch of open) {
      for (const { branch: after, end } of runChain(table, base, branch, hook)) {
        if (end === 'drop' || end === 'reject') outcomes.push({ ...after, verdict: end })
        else next.push(after)
      }
    }
    open = next
  }
  return open
}

function runChain(table: NftTable, chain: NftChain, start: Branch, hook: string): readonly Result[] {
  const results: Result[] = []
  let open: Branch[] = [
    { ...start, packet: { ...start.packet, hook: hook.toUpperCase() }, chains: [...start.chains, chain.name] },
  ]
  for (const rule of chain.rules) {
    const next: Branch[] = []
    for (const branch of open) {
      if (!rule.when.every((condition) => holds(table, condition, branch.packet))) {
        next.push(branch)
        continue
      }
      for (const result of act(table, rule, branch, hook)) {
        if (result.end === 'through') next.push(result.branch)
        else results.push(result)
      }
    }
    open = next
  }
  return [...results, ...open.map((branch) => ({ branch, end: 'through' as const }))]
}

function holds(table: NftTable, condition: Condition, packet: PacketState): boolean {
  const address = (field: 'saddr' | 'daddr'): Ip => (field === 'saddr' ? packet.source : packet.destination)
  switch (condition.kind) {
    case 'new-connection':
      return packet.connection === 'NEW'
    case 'translated':
      return packet.isDnat
    case 'address':
      return contains(condition.cidr, address(condition.field)) !== (condition.isNegated === true)
    case 'source-not-among':
      return !condition.cidrs.some((cidr) => contains(cidr, packet.source))
    case 'in-set':
      return table.sets.get(condition.set)?.elements.includes(keyOf(condition.fields, packet)) === true
    case 'local-address':
      return isLocalAddress(packet.machine, address(condition.field))
    case 'in-interface': {
      const name = packet.inInterface ?? ''
      const pattern = condition.name
      const matches = pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
      // A packet of this machine has no input interface.
      return (matches && packet.hook !== 'OUTPUT') !== (condition.isNegated === true)
    }
    case 'marked':
      return (packet.mark & condition.mark) !== 0
    case 'protocol':
      return packet.protocol === condition.protocol
  }
}

function keyOf(fields: readonly Field[], packet: PacketState): string {
  const values: { readonly [field in Field]: string } = {
    saddr: packet.source.text,
    daddr: packet.destination.text,
    l4proto: packet.protocol,
    dport: String(packet.destinationPort),
  }
  return fields.map((field) => values[field]).join(' . ')
}

function act(table: NftTable, rule: NftRule, branch: Branch, hook: string): readonly Result[] {
  const { action } = rule
  switch (action.kind) {
    case 'verdict':
      return follow(table, action.verdict, branch, hook)
    case 'reject':
      return [{ branch, end: 'reject' }]
    case 'vmap': {
      const key = keyOf(action.fields, branch.packet)
      const element = table.maps.get(action.map)?.elements.find((one) => one.key === key)
      return element === undefined ? [{ branch, end: 'through' }] : follow(table, element.verdict, branch, hook)
    }
    case 'pick': {
      const share = branch.probability / action.chains.length
      return action.chains.flatMap((chain) =>
        follow(table, { kind: 'goto', chain }, { ...branch, probability: share }, hook),
      )
    }
    case 'translate':
      return translate(action, branch)
    default:
      return [{ branch: changed(action, branch), end: action.kind === 'masquerade' ? 'accept' : 'through' }]
  }
}

function follow(table: NftTable, verdict: Verdict, branch: Branch, hook: string): readonly Result[] {
  if (verdict.kind === 'drop') return [{ branch, end: 'drop' }]
  const chain = table.chains.get(verdict.chain)
  if (chain === undefined) return [{ branch, end: 'through' }]
  const results = runChain(table, chain, branch, hook)
  // After a goto the caller does not go on: the base chain's policy, accept, decides.
  return verdict.kind === 'jump'
    ? results
    : results.map((result) => (result.end === 'through' ? { ...result, end: 'accept' } : result))
}

function translate({ to }: Extract<Statement, { readonly kind: 'translate' }>, branch: Branch): readonly Result[] {
  return to.flatMap(({ address, port }): readonly Result[] => {
    const destination = parseIp(address)
    if (destination === undefined) return []
    const packet = { ...branch.packet, destination, destinationPort: port, isDnat: true }
    return [{ branch: { ...branch, packet, probability: branch.probability / to.length }, end: 'accept' }]
  })
}

function changed(action: Statement, branch: Branch): Branch {
  const { packet } = branch
  if (action.kind === 'mark') return { ...branch, packet: { ...packet, mark: (packet.mark | action.mark) >>> 0 } }
  if (action.kind !== 'masquerade') return branch
  const mark = action.clears === undefined ? packet.mark : (packet.mark ^ action.clears) >>> 0
  return { ...branch, packet: { ...packet, mark, isSnat: true } }
}
