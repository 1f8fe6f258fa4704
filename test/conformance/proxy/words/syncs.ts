// failed-sync, jump-rules, jump-rules-kept, start-order, cleanup-leftovers: syncs on iptables in memory.

import { jumpHooks, printRestoreRule } from '@kubewire/iptables-gen'
import { cleanUpIptables } from '../../../../apps/kube-proxy-ts/src/kernel/cleanup.ts'
import type { Checks } from './check.ts'
import { createMemoryIptables, type MemoryIptables } from './memory-iptables.ts'
import { createProxierBench, pairOf } from './proxier-bench.ts'

type Row = Readonly<Record<string, unknown>>

export async function failedSyncCase(data: Row, checks: Checks): Promise<void> {
  const bench = createProxierBench()
  await bench.proxier.sync()
  let count = 0
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    const name = `steps[${i}] ${String(step['note'] ?? '')}`
    count += 1
    const { service, slice } = pairOf(`s${count}`, 'TCP', `10.244.1.${count}`, {
      spec: { clusterIP: `10.96.30.${count}` },
    })
    const isFullWanted = String(step['note']).startsWith('full restore')
    if (isFullWanted || step['saveExit'] !== undefined) bench.proxier.forceFull()
    bench.put(service)
    bench.put(slice)
    const metrics = (step['metrics'] ?? {}) as Readonly<Record<string, string>>
    const before = Object.fromEntries(
      await Promise.all(Object.keys(metrics).map(async (metric) => [metric, await bench.metric(metric)] as const)),
    )
    const [full, health] = [await bench.fullSyncs(), bench.healthUpdates()]
    bench.iptables.restoreExit = Number(step['restoreExit'] ?? 0)
    bench.iptables.saveExit = Number(step['saveExit'] ?? 0)
    await bench.proxier.sync()
    bench.iptables.restoreExit = 0
    bench.iptables.saveExit = 0
    for (const [metric, wanted] of Object.entries(metrics)) {
      const change = (await bench.metric(metric)) - (before[metric] ?? 0)
      checks.equal(`${name} ${metric}`, wanted, change === 0 ? 'unchanged' : `+${change}`)
    }
    if (step['healthUpdated'] !== undefined)
      checks.equal(`${name} healthUpdated`, step['healthUpdated'], bench.healthUpdates() > health)
    if (step['mode'] !== undefined)
      checks.equal(`${name} mode`, step['mode'], (await bench.fullSyncs()) > full ? 'full' : 'partial')
    if (step['nextSync'] !== undefined) {
      // Asked of the next step's sync where there is one of its own; here by one that changes nothing.
      const next = (data['steps'] as Row[])[i + 1]
      if (next?.['mode'] === undefined) {
        const fullBefore = await bench.fullSyncs()
        await bench.proxier.sync()
        checks.equal(`${name} nextSync`, step['nextSync'], (await bench.fullSyncs()) > fullBefore ? 'full' : 'partial')
      } else checks.equal(`${name} nextSync`, step['nextSync'], next['mode'])
    }
  }
}

export async function jumpRulesCase(data: Row, checks: Checks): Promise<void> {
  const inserts = jumpHooks.map(({ table, from, rule }) => ({ table, chain: from, args: printRestoreRule(rule, 4) }))
  for (const [i, wanted] of (data['inserts'] as Row[]).entries()) checks.equal(`inserts[${i}]`, wanted, inserts[i])
  checks.equal('number of inserts', (data['inserts'] as Row[]).length, inserts.length)
  const bench = createProxierBench()
  await bench.proxier.sync()
  for (const [table, lines] of Object.entries(data['savedBuiltins'] as Readonly<Record<string, string[]>>)) {
    const chains = [...(bench.iptables.tables.get(table) ?? [])].filter(([name]) => !name.startsWith('KUBE-'))
    const order = [...new Set(lines.map((line) => line.split(' ')[1]))]
    const found = order.flatMap((name) => chains.find(([chain]) => chain === name)?.[1] ?? [])
    checks.equal(`savedBuiltins ${table}`, lines, found)
  }
}

export async function jumpRulesKeptCase(data: Row, checks: Checks): Promise<void> {
  const bench = createProxierBench()
  let chain = 'PREROUTING'
  let table = 'nat'
  let count = 0
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    const existing = step['existing'] as { table: string; chain: string; rules: string[] } | undefined
    if (existing !== undefined) {
      ;({ table, chain } = existing)
      // The jump that stands there leads to a chain of ours, so that chain exists.
      bench.iptables.tables.get(table)?.set('KUBE-SERVICES', [])
      bench.iptables.tables
        .get(table)
        ?.get(chain)
        ?.push(...existing.rules)
    }
    if (step['remove'] !== undefined) removeLine(bench.iptables, table, chain, String(step['remove']))
    count += 1
    const { service } = pairOf(`s${count}`, 'TCP', '10.244.1.1', { spec: { clusterIP: `10.96.30.${count}` } })
    bench.put(service)
    if (step['sync'] === 'full') bench.proxier.forceFull()
    const full = await bench.fullSyncs()
    await bench.proxier.sync()
    checks.equal(`steps[${i}] sync`, step['sync'], (await bench.fullSyncs()) > full ? 'full' : 'partial')
    checks.equal(`steps[${i}] expectAfter`, step['expectAfter'], bench.iptables.tables.get(table)?.get(chain))
  }
}

function removeLine(iptables: MemoryIptables, table: string, chain: string, line: string): void {
  const rules = iptables.tables.get(table)?.get(chain) ?? []
  const at = rules.indexOf(line)
  if (at < 0) throw new Error(`nothing to remove: ${line}`)
  rules.splice(at, 1)
}

export async function cleanupCase(data: Row, checks: Checks): Promise<void> {
  const iptables = createMemoryIptables(String(data['before']))
  checks.equal('no problem', [], await cleanUpIptables(iptables))
  for (const [table, wanted] of Object.entries(
    data['after'] as Readonly<Record<string, { chains: string[]; rules?: string[] }>>,
  )) {
    const chains = iptables.tables.get(table) ?? new Map<string, string[]>()
    const names = [...chains.keys()].filter((name) => name.startsWith('KUBE-')).sort()
    checks.equal(`${table} chains`, [...wanted.chains].sort(), names)
    if (wanted.rules !== undefined)
      checks.equal(`${table} rules`, [...wanted.rules].sort(), [...chains.values()].flat().sort())
  }
}

/** What each event of `start-order` does; the wiring of the daemon is imitated: nothing syncs before both are listed. */
export async function startOrderCase(data: Row, checks: Checks): Promise<void> {
  const bench = createProxierBench()
  const { service, slice } = pairOf('s', 'TCP', '10.244.1.1')
  let hasStarted = false
  const requests = { count: 0 }
  const syncIf = async (isAsked: boolean): Promise<void> => {
    if (!hasStarted || !isAsked) return
    requests.count += 1
    await bench.proxier.sync()
  }
  const events: Readonly<Record<string, () => Promise<void>>> = {
    'services listed': () => syncIf(bench.put(service)),
    'service and slice events before slices are listed': () => syncIf(bench.put(slice)),
    'slices listed': async () => {
      hasStarted = true
      await syncIf(true)
    },
    'zone label of this node seen at start': async () => {},
    'slice event': () => syncIf(bench.put(pairOf('s', 'TCP', '10.244.1.2').slice)),
  }
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    const event = String(step['event'])
    const run = events[event]
    if (run === undefined) {
      checks.ok(`steps[${i}] ${event}`, false, `no test for the event ${event}`)
      continue
    }
    const full = await bench.fullSyncs()
    await run()
    const total = (await bench.fullSyncs()) + (await bench.partialSyncs())
    if (step['syncs'] !== undefined) checks.equal(`steps[${i}] ${event}`, step['syncs'], total)
    if (step['mode'] !== undefined)
      checks.equal(`steps[${i}] mode`, step['mode'], (await bench.fullSyncs()) > full ? 'full' : 'partial')
  }
}
