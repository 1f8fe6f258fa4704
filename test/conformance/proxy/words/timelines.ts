// sync-runner, healthz-and-livez, canary-monitor: what happens over time, on a fake clock.

import { fakeClock } from '@kubewire/daemon-kit'
import type { Node } from '@kubewire/kube-model'
import {
  healthAnswer,
  healthQueued,
  healthUpdated,
  initialHealth,
  isNodeEligible,
  printTime,
} from '../../../../apps/kube-proxy-ts/src/health/proxy-health.ts'
import { watchCanary } from '../../../../apps/kube-proxy-ts/src/kernel/canary.ts'
import { IptablesError } from '../../../../apps/kube-proxy-ts/src/kernel/iptables.ts'
import { createProxyMetrics } from '../../../../apps/kube-proxy-ts/src/metrics.ts'
import { createRunner } from '../../../../apps/kube-proxy-ts/src/runner.ts'
import { type Checks, pick } from './check.ts'

type Row = Readonly<Record<string, unknown>>

const ms = (seconds: unknown): number => Math.round(Number(seconds) * 1000)

export async function syncRunnerCase(data: Row, checks: Checks): Promise<void> {
  const config = data['config'] as Row
  const clock = fakeClock()
  const startMs = clock.nowMs()
  let runs = 0
  let isOk = true
  const run = async (): Promise<boolean> => {
    runs += 1
    return isOk
  }
  const limits = {
    minIntervalMs: ms(config['minSyncPeriod']),
    retryMs: ms(config['retry']),
    maxIntervalMs: ms(config['maxInterval']),
  }
  const runner = createRunner(run, limits, clock)
  for (const [i, entry] of (data['timeline'] as Row[]).entries()) {
    await clock.advance(startMs + ms(entry['at']) - clock.nowMs())
    if (entry['nextResult'] !== undefined) isOk = entry['nextResult'] === 'ok'
    if (entry['request'] === true) {
      runner.request()
      await clock.advance(0)
    }
    if (entry['runs'] !== undefined) checks.equal(`timeline[${i}] at ${String(entry['at'])} s`, entry['runs'], runs)
  }
  await runner.close()
}

export async function healthCase(data: Row, checks: Checks): Promise<void> {
  const period = 30_000
  let health = initialHealth
  let node: Node | undefined = { metadata: { name: 'node-a' } }
  const epoch = Date.UTC(2026, 0, 1)
  for (const [i, entry] of (data['timeline'] as Row[]).entries()) {
    const nowMs = epoch + ms(entry['at'])
    const name = `timeline[${i}] at ${String(entry['at'])} s`
    for (const family of (entry['updated'] as string[] | undefined) ?? []) health = healthUpdated(health, family, nowMs)
    for (const family of (entry['queued'] as string[] | undefined) ?? []) health = healthQueued(health, family, nowMs)
    if (entry['node'] !== undefined) node = nodeOf(entry['node'] as Row | null)
    const healthz = healthAnswer(health, nowMs, period, isNodeEligible(node))
    const livez = healthAnswer(health, nowMs, period, undefined)
    for (const [path, status] of Object.entries((entry['get'] as Row | undefined) ?? {}))
      checks.equal(`${name} ${path}`, status, path === '/livez' ? livez.status : healthz.status)
    const body = JSON.parse(healthz.body) as Row
    if (entry['json'] !== undefined)
      checks.equal(`${name} json`, inTimes(entry['json'] as Row, epoch), pick(entry['json'], body))
    for (const [family, wanted] of Object.entries((entry['status'] as Row | undefined) ?? {}))
      checks.equal(
        `${name} status ${family}`,
        inTimes(wanted as Row, epoch),
        pick(wanted, (body['status'] as Row)[family]),
      )
    checks.ok(`${name} /livez has no node`, !livez.body.includes('nodeEligible'), livez.body)
    const headers = Object.entries(healthz.headers).map(([key, value]) => [key.toLowerCase(), value])
    checks.equal(`${name} headers`, data['headers'], Object.fromEntries(headers))
  }
  await checkHealthMetrics(data, checks)
}

async function checkHealthMetrics(data: Row, checks: Checks): Promise<void> {
  const metrics = createProxyMetrics(['IPv4'])
  for (const code of ['200', '503']) {
    metrics.healthz.inc({ code })
    metrics.livez.inc({ code })
  }
  const text = await metrics.registry.text()
  for (const wanted of (data['metrics'] as string[] | undefined) ?? [])
    for (const code of ['200', '503']) {
      const line = `${wanted.slice(0, wanted.indexOf('{'))}{code="${code}"}`
      checks.ok(`metric ${line}`, text.includes(`${line} 1`), `not in the text: ${line}`)
    }
}

function nodeOf(given: Row | null): Node | undefined {
  if (given === null) return undefined
  const taints = ((given['taints'] as string[] | undefined) ?? []).map((key) => ({ key, effect: 'NoSchedule' }))
  const deletion = given['deletionTimestamp'] === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}
  return { metadata: { name: 'node-a', ...deletion }, spec: { taints } }
}

function inTimes(wanted: Row, epoch: number): Row {
  const { lastUpdated } = wanted
  return typeof lastUpdated === 'number' ? { ...wanted, lastUpdated: printTime(epoch + ms(lastUpdated)) } : wanted
}

export async function canaryCase(data: Row, checks: Checks): Promise<void> {
  const clock = fakeClock()
  const startMs = clock.nowMs()
  const chains = new Set<string>()
  const ends = new AbortController()
  let listExit = 0
  let fullSyncs = 0
  const period = ms(
    String((data['config'] as { iptables: { syncPeriod: string } }).iptables.syncPeriod).replace('s', ''),
  )
  const watching = watchCanary({
    iptables: {
      async ensureChain(table, chain) {
        const isNew = !chains.has(`${table} ${chain}`)
        chains.add(`${table} ${chain}`)
        return isNew
      },
      async hasChain(table, chain) {
        if (listExit !== 0) throw new IptablesError('IPT_LOCK', `status ${listExit}`, listExit)
        return chains.has(`${table} ${chain}`)
      },
    },
    periodMs: period,
    clock,
    signal: ends.signal,
    onFlush: async () => {
      fullSyncs += 1
    },
    onProblem: () => {},
  })
  let seen = 0
  for (const [i, entry] of (data['timeline'] as Row[]).entries()) {
    if (entry['listExit'] !== undefined) listExit = Number(entry['listExit'])
    await clock.advance(startMs + ms(entry['at']) - clock.nowMs())
    const name = `timeline[${i}] at ${String(entry['at'])} s`
    for (const chain of (entry['expectChains'] as string[] | undefined) ?? [])
      checks.ok(`${name} ${chain}`, chains.has(chain), `only ${[...chains].join(', ')}`)
    for (const chain of (entry['deleted'] as string[] | undefined) ?? []) chains.delete(chain)
    if (entry['fullSync'] !== undefined) checks.equal(`${name} fullSync`, entry['fullSync'], fullSyncs > seen)
    seen = fullSyncs
  }
  ends.abort()
  await watching
}
