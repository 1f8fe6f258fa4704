// Runs one case of objects through a driver and compares everything the file says.

import type { ProbeResult } from '@kubewire/kube-model/cases'
import type { CaseDriver, CaseTracked } from './case-driver.ts'
import { familiesOf, flowName } from './case-options.ts'
import {
  chainDifference,
  isListedChain,
  readSaved,
  ruleToSaveForm,
  type SavedTables,
  toSaveForm,
} from './compare-saved.ts'
import { applyTableChanges, compareTables } from './compare-tables.ts'
import { differ } from './differ.ts'
import type { CaseFlow, CaseRequest, CaseStep, NftTables, ProxyCase, SavedState } from './proxy-case.ts'

/** Collects what probes gave; a probe that throws has failed. */
class Probes {
  readonly results: ProbeResult[] = []

  async check(probe: string, body: () => Promise<string | undefined> | string | undefined): Promise<void> {
    try {
      const detail = await body()
      this.results.push(detail === undefined ? { probe, outcome: 'passed' } : { probe, outcome: 'failed', detail })
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
      this.results.push({ probe, outcome: 'failed', detail })
    }
  }

  skip(probe: string, detail: string): void {
    this.results.push({ probe, outcome: 'skipped', detail })
  }
}

/** Runs a case and gives every probe of it. */
export async function runProxyCase(driver: CaseDriver, data: ProxyCase): Promise<readonly ProbeResult[]> {
  const probes = new Probes()
  try {
    await driver.begin(data.config, data.cluster ?? [])
    await checkState(driver, data, probes)
    let state = data.saved
    let tables = data.tables
    for (const [i, step] of (data.steps ?? []).entries()) {
      state = step.savedChanges === undefined ? state : applyChanges(state ?? {}, step.savedChanges)
      tables = step.tableChanges === undefined ? tables : applyTableChanges(tables ?? {}, step.tableChanges)
      await runStep(driver, data, step, { name: `steps[${i}]`, state, tables, probes })
    }
  } finally {
    await driver.end()
  }
  return probes.results
}

async function checkState(driver: CaseDriver, data: ProxyCase, probes: Probes): Promise<void> {
  await checkRules(driver, data, probes)
  for (const [i, flow] of (data.flows ?? []).entries()) await checkFlow(driver, flow, `flows[${i}]`, probes)
  if (data.saved !== undefined) await checkSaved(driver, data.saved, 'saved', probes)
  if (data.tables !== undefined) await checkTables(driver, data.tables, 'tables', probes)
  await checkRest(driver, data, '', probes)
}

async function checkRest(
  driver: CaseDriver,
  data: Pick<CaseStep, 'requests' | 'openPorts' | 'healthCounts' | 'noLocalEndpoints'>,
  prefix: string,
  probes: Probes,
): Promise<void> {
  for (const [i, request] of (data.requests ?? []).entries())
    await checkRequest(driver, request, `${prefix}requests[${i}]`, probes)
  if (data.openPorts !== undefined)
    await probes.check(`${prefix}openPorts`, async () => differ(data.openPorts, await driver.openPorts()))
  for (const [port, count] of Object.entries(data.healthCounts ?? {}))
    await probes.check(`${prefix}healthCounts ${port}`, async () => {
      const answer = await driver.request({ port: Number(port), path: '/healthz' })
      return differ(String(count), answer.headers['x-load-balancing-endpoint-weight'])
    })
  if (data.noLocalEndpoints !== undefined)
    await probes.check(`${prefix}noLocalEndpoints`, async () =>
      differ(data.noLocalEndpoints, await driver.noLocalEndpoints(4)),
    )
}

interface StepContext {
  readonly name: string
  readonly state: SavedState | undefined
  readonly tables: NftTables | undefined
  readonly probes: Probes
}

async function runStep(driver: CaseDriver, data: ProxyCase, step: CaseStep, context: StepContext): Promise<void> {
  const { name, state, probes } = context
  const flows = [...(step.seed ?? []).map(seededFlow), ...(step.conntrackTable ?? []).map(tableFlow)]
  if (flows.length > 0) await driver.seed(flows)
  await driver.step(step)
  if (step.conntrack !== undefined) await checkConntrack(driver, step, name, probes)
  for (const [i, flow] of (step.flows ?? []).entries()) await checkFlow(driver, flow, `${name}.flows[${i}]`, probes)
  if (state !== undefined && step.savedChanges !== undefined)
    await checkSaved(driver, state, `${name}.savedChanges`, probes)
  if (step.saved !== undefined) await checkSaved(driver, step.saved, `${name}.saved`, probes)
  if (context.tables !== undefined && step.tableChanges !== undefined)
    await checkTables(driver, context.tables, `${name}.tableChanges`, probes)
  if (step.tables !== undefined) await checkTables(driver, step.tables, `${name}.tables`, probes)
  await checkSync(driver, step, data, context)
  await checkRest(driver, step, `${name}.`, probes)
}

async function checkSync(
  driver: CaseDriver,
  step: CaseStep,
  data: ProxyCase,
  { name, probes }: StepContext,
): Promise<void> {
  for (const family of familiesOf(data.config)) {
    const wanted = family === 4 ? step.sync : step.sync6
    const key = family === 4 ? 'sync' : 'sync6'
    if (wanted?.rulesTotal !== undefined)
      await probes.check(`${name}.${key}.rulesTotal`, async () =>
        differ(wanted.rulesTotal, await driver.rulesTotal(family)),
      )
    if (driver.sync === undefined || wanted === undefined) continue
    // How a sync is written binds kube-proxy itself; ours plans differently and is held to the state.
    const found = await driver.sync(family)
    for (const part of ['mode', 'chainsWritten', 'chainsDeleted', 'rulesLastSync'] as const)
      if (wanted[part] !== undefined)
        await probes.check(`${name}.${key}.${part}`, () => differ(wanted[part], found[part]))
    if (wanted.chainsWrittenCount !== undefined)
      await probes.check(`${name}.${key}.chainsWrittenCount`, () =>
        differ(wanted.chainsWrittenCount, found.chainsWritten?.length),
      )
  }
  if (driver.sync !== undefined) {
    const { restoreText } = await driver.sync(4)
    for (const text of step.restoreContains ?? [])
      await probes.check(`${name}.restoreContains`, () => (restoreText.includes(text) ? undefined : `no ${text}`))
    for (const text of step.restoreLacks ?? [])
      await probes.check(`${name}.restoreLacks`, () => (restoreText.includes(text) ? `found ${text}` : undefined))
  }
  if (step.largeClusterMode !== undefined && driver.isLargeCluster !== undefined)
    await probes.check(`${name}.largeClusterMode`, async () =>
      differ(step.largeClusterMode, await driver.isLargeCluster?.()),
    )
}

async function checkRules(driver: CaseDriver, data: ProxyCase, probes: Probes): Promise<void> {
  for (const [i, { table, chain, family, rules, saved }] of (data.chains ?? []).entries())
    await probes.check(`chains[${i}] ${table} ${chain}`, async () => {
      const number = family === 'IPv6' ? 6 : 4
      const wanted = saved ?? rules.map((rule) => ruleToSaveForm(table, rule, number))
      return chainDifference(table, chain, wanted, (await driver.saved(number)).get(table)?.get(chain))
    })
  for (const [i, { table, family, rule, saved }] of (data.rules ?? []).entries())
    await probes.check(`rules[${i}] ${table}`, async () => {
      const number = family === 'IPv6' ? 6 : 4
      const wanted = [rule, saved, ruleToSaveForm(table, rule, number)]
      const found = linesOf(await driver.saved(number), table)
      return found.some((line) => wanted.includes(line)) ? undefined : `missing: ${saved ?? rule}`
    })
  for (const [i, one] of (data.absent ?? []).entries())
    await probes.check(`absent[${i}]`, async () => {
      const saved = await driver.saved(one.family === 'IPv6' ? 6 : 4)
      if (one.chain !== undefined && saved.get(one.table)?.has(one.chain)) return `${one.table} ${one.chain} exists`
      const text = one.contains ?? one.rule
      const hit = text === undefined ? undefined : linesOf(saved, one.table).find((line) => line.includes(text))
      return hit === undefined ? undefined : `found ${hit}`
    })
  for (const [family, text] of Object.entries(data.ruleset ?? {}))
    await probes.check(`ruleset ${family}`, async () => {
      const number = family === 'IPv6' ? 6 : 4
      return rulesetDifference(readSaved(toSaveForm(text, number)), await driver.saved(number))
    })
}

// The first restore, as a state: chains of the text in the state and the reverse, jumps aside. KUBE-FIREWALL is made by
// the jumps where the text does not mention it.
function rulesetDifference(wanted: SavedTables, found: SavedTables): string | undefined {
  const differences: string[] = []
  for (const table of ['filter', 'nat']) {
    const chains = new Set([...(wanted.get(table)?.keys() ?? []), ...(found.get(table)?.keys() ?? [])])
    for (const chain of chains) {
      const rules = found.get(table)?.get(chain)
      const isAside = !chain.startsWith('KUBE-') || !isListedChain(chain, rules ?? [])
      const isEmptyFirewall = chain === 'KUBE-FIREWALL' && (rules?.length ?? 0) === 0
      if (isAside || (isEmptyFirewall && wanted.get(table)?.get(chain) === undefined)) continue
      const difference = chainDifference(table, chain, wanted.get(table)?.get(chain), rules)
      if (difference !== undefined) differences.push(difference)
    }
  }
  return differences.length === 0 ? undefined : differences.join('\n')
}

async function checkSaved(driver: CaseDriver, state: SavedState, name: string, probes: Probes): Promise<void> {
  for (const [family, tables] of Object.entries(state)) {
    const found = await driver.saved(family === 'IPv6' ? 6 : 4)
    for (const [table, chains] of Object.entries(tables)) {
      await probes.check(`${name} ${family} ${table}`, () => {
        const present = [...(found.get(table) ?? [])].filter(([chain, rules]) => isListedChain(chain, rules))
        const names = new Set([...Object.keys(chains), ...present.map(([chain]) => chain)])
        const existing = new Map(present)
        const differences = [...names].flatMap(
          (chain) => chainDifference(table, chain, chains[chain] ?? undefined, existing.get(chain)) ?? [],
        )
        return differences.length === 0 ? undefined : differences.join('\n')
      })
    }
  }
}

async function checkTables(
  driver: CaseDriver,
  tables: NonNullable<ProxyCase['tables']>,
  name: string,
  probes: Probes,
): Promise<void> {
  for (const [family, wanted] of Object.entries(tables)) {
    if (driver.tables === undefined) probes.skip(`${name} ${family}`, 'nftables mode is not run by this driver')
    else
      await probes.check(`${name} ${family}`, async () =>
        compareTables(wanted, (await driver.tables?.(family === 'IPv6' ? 6 : 4)) ?? {}),
      )
  }
}

async function checkFlow(driver: CaseDriver, flow: CaseFlow, name: string, probes: Probes): Promise<void> {
  await probes.check(`${name} ${flowName(flow)}`, async () => {
    const { verdict, targets, trace } = await driver.flow(flow)
    const { expect } = flow
    const wantedVerdict = expect.verdict ?? 'accept'
    const wanted = [...(expect.dnat ?? [])].sort()
    const found = [...targets.keys()].sort()
    const problems = [
      verdict === wantedVerdict ? '' : `wanted ${wantedVerdict}, found ${verdict}`,
      expect.dnat === undefined || wanted.join(' ') === found.join(' ') ? '' : `wanted [${wanted}], found [${found}]`,
      ...[...targets].map(([target, isMasqueraded]) => {
        const { masquerade } = expect
        const wish = typeof masquerade === 'object' ? masquerade[target] : masquerade
        return wish === undefined || wish === isMasqueraded
          ? ''
          : `${target}: wanted masquerade ${wish}, found ${isMasqueraded}`
      }),
    ].filter((problem) => problem !== '')
    return problems.length === 0 ? undefined : `${problems.join('; ')}\n${trace}`
  })
}

async function checkRequest(
  driver: CaseDriver,
  { port, path, expect }: CaseRequest,
  name: string,
  probes: Probes,
): Promise<void> {
  await probes.check(`${name} :${port}${path}`, async () => {
    const { status, headers, text } = await driver.request({ port, path })
    const seen = Object.fromEntries(Object.keys(expect.headers).map((header) => [header, headers[header]]))
    return differ(
      { status: expect.status, headers: expect.headers, text: expect.text, json: expect.json },
      { status, headers: seen, text, json: JSON.parse(text) as unknown },
    )
  })
}

async function checkConntrack(driver: CaseDriver, step: CaseStep, name: string, probes: Probes): Promise<void> {
  const remaining = new Set(await driver.remaining())
  if (step.remaining !== undefined)
    await probes.check(`${name}.remaining`, () =>
      differ([...(step.remaining ?? [])].map(String).sort(), [...remaining].sort()),
    )
  for (const [i, wanted] of (step.conntrack ?? []).entries()) {
    const id =
      wanted['id'] === undefined ? seededFlow({ replySrc: '', replySrcPort: 0, ...wanted }).id : String(wanted['id'])
    await probes.check(`${name}.conntrack[${i}] ${String(wanted['op'])} ${id}`, () => {
      const isKept = remaining.has(id)
      return (wanted['op'] === 'keep') === isKept ? undefined : `the flow is ${isKept ? 'still there' : 'gone'}`
    })
  }
}

// field files name a flow by its client's side.
function seededFlow(entry: Readonly<Record<string, unknown>>): CaseTracked {
  const { protocol, src, srcPort, origDst, origDstPort, replySrc, replySrcPort } = entry as Readonly<
    Record<string, string & number>
  >
  return {
    id: `${protocol} ${src}:${srcPort} ${origDst}:${origDstPort}`,
    protocol: String(protocol).toLowerCase(),
    source: String(src),
    sourcePort: Number(srcPort),
    destination: String(origDst),
    destinationPort: Number(origDstPort),
    replySource: String(replySrc),
    replySourcePort: Number(replySrcPort),
  }
}

function tableFlow(entry: NonNullable<CaseStep['conntrackTable']>[number]): CaseTracked {
  return {
    id: String(entry.id),
    protocol: entry.protocol.toLowerCase(),
    source: entry.origSrc,
    sourcePort: entry.origSrcPort,
    destination: entry.origDst,
    destinationPort: entry.origPort,
    replySource: entry.replySrc,
    replySourcePort: entry.replyPort,
  }
}

function applyChanges(state: SavedState, changes: SavedState): SavedState {
  const next: Record<string, Record<string, Record<string, readonly string[] | null>>> = structuredClone(state) as never
  for (const [family, tables] of Object.entries(changes))
    for (const [table, chains] of Object.entries(tables)) {
      const inFamily = next[family] ?? {}
      next[family] = inFamily
      const target = inFamily[table] ?? {}
      inFamily[table] = target
      for (const [chain, rules] of Object.entries(chains)) {
        if (rules === null) delete target[chain]
        else target[chain] = rules
      }
    }
  return next
}

function linesOf(saved: SavedTables, table: string): readonly string[] {
  return [...(saved.get(table)?.values() ?? [])].flat()
}
