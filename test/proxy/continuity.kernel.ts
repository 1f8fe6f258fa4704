// Nobody notices a sync: new connections to a Service that does not change are made all the time while others come, go
// and change, and while the daemon is killed at random moments. None may fail, and after every restart the kernel must
// hold what is rendered from nothing. `KUBEWIRE_KILLS` says how often it dies (20).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import { type KubeObject, keyOf, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CaseCluster, createMiniCluster } from '../conformance/proxy/cluster.ts'
import { type Seeded, seeded } from '../differential/seeded.ts'
import { startDaemon } from '../harness/daemon.ts'
import { type Dialer, startDialer } from '../harness/dialer.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import type { EchoServer } from '../harness/echo-server.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'
import { renderedRules, rulesOf } from '../harness/saved-rules.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`continuity.kernel.ts skipped: ${reason}`)

const kills = Number(process.env['KUBEWIRE_KILLS'] ?? 20)
const limitMs = 60_000 + kills * 15_000

const nodeName = 'edge-1'
const steady = service('shop/steady', { clusterIP: '10.96.4.4' })
const steadyEnds = ['10.244.1.5', '10.244.1.6']

describe.skipIf(reason !== undefined)('a service that does not change', () => {
  let netns: Netns
  let cluster: CaseCluster
  let echo: EchoServer
  let dialer: Dialer
  let dir: string
  const objects = new Map<string, KubeObject>()

  beforeAll(async () => {
    netns = await createNetns('steady')
    await netns.addAddresses(['192.0.2.11', ...steadyEnds])
    await netns.addRoute('10.96.0.0/12', 'dev', 'lo')
    cluster = await createMiniCluster(netns)
    echo = await startEchoServer(
      netns,
      steadyEnds.map((address) => ({ name: address, protocol: 'tcp', address, port: 8080 })),
    )
    dialer = await startDialer(netns)
    dir = mkdtempSync(join(tmpdir(), 'kwtest-steady-'))
    await put(node(nodeName, ['192.0.2.11']), steady, endpointSlice('shop/steady', steadyEnds))
  })
  afterAll(async () => {
    await dialer?.close()
    await echo?.close()
    await cluster?.close()
    await netns?.close()
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  })

  const put = async (...list: readonly KubeObject[]): Promise<void> => {
    for (const object of list) objects.set(`${object.kind} ${keyOf(object)}`, object)
    await cluster.put(list as unknown as readonly Manifest[])
  }
  const remove = async (object: KubeObject): Promise<void> => {
    objects.delete(`${object.kind} ${keyOf(object)}`)
    await cluster.remove([object as unknown as Manifest])
  }
  const change = async (random: Seeded): Promise<void> => {
    const number = random.integer(1, 12)
    const key = `shop/other-${number}`
    const known = objects.get(`Service ${key}`)
    if (known !== undefined && random.chance(0.2)) return remove(known)
    const ports = [{ name: 'http', port: 80, nodePort: 30_000 + number }]
    if (known === undefined || random.chance(0.2))
      await put(service(key, { type: random.pick(['ClusterIP', 'NodePort']), clusterIP: `10.96.5.${number}`, ports }))
    const ends = random.some([1, 2, 3, 4, 5], 0.5)
    await put(
      endpointSlice(
        key,
        ends.map((n) => `10.244.2.${number * 10 + n}`),
      ),
    )
  }
  const start = async (): Promise<RunningProgram> => {
    const file = join(dir, 'config.json')
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode: 'iptables',
        clusterCIDR: '10.244.0.0/16',
        hostnameOverride: nodeName,
        conntrack: { maxPerCore: 0 },
        clientConnection: { kubeconfig: cluster.kubeconfig },
        iptables: { syncPeriod: '2s', minSyncPeriod: '5ms' },
      }),
    )
    return startDaemon({ daemon: 'kube-proxy-ts', netns, args: ['--config', file] })
  }
  const saved = () => netns.mustRun('iptables-save', [])
  const rendered = (text: string): readonly string[] =>
    renderedRules(snapshotOf([...objects.values()]), { nodeName, address: '192.0.2.11' }, text)
  const settle = async (daemon: RunningProgram): Promise<void> => {
    const isSettled = async () => {
      const text = await saved()
      return rulesOf(text).join('\n') === rendered(text).join('\n')
    }
    await daemon.waitUntil(isSettled, 20_000).catch(() => undefined)
    const text = await saved()
    expect(rulesOf(text)).toEqual(rendered(text))
  }

  it(
    `answers every connection while others change and the daemon is killed ${kills} times`,
    async () => {
      const random = seeded(17)
      await settleFirst()
      const failures: string[] = []
      let answered = 0
      let isOver = false
      const connect = async (): Promise<void> => {
        while (!isOver) {
          const dialed = await dialer.dial({ protocol: 'tcp', address: '10.96.4.4', port: 80, timeoutMs: 10_000 })
          if (dialed.kind === 'answered') answered += 1
          else failures.push(JSON.stringify(dialed))
          await delay(5)
        }
      }
      const connecting = [connect(), connect()]
      try {
        for (let i = 0; i < kills; i++) {
          const daemon = await start()
          const endAtMs = Date.now() + random.integer(300, 1500)
          while (Date.now() < endAtMs) {
            await change(random)
            await delay(random.integer(0, 30))
          }
          await daemon.stop('SIGKILL')
          await change(random)
        }
        const last = await start()
        await settle(last)
        await last.stop('SIGKILL')
      } finally {
        isOver = true
        await Promise.all(connecting)
      }
      expect(failures).toEqual([])
      expect(answered).toBeGreaterThan(kills * 10)
    },
    limitMs,
  )

  const settleFirst = async (): Promise<void> => {
    const daemon = await start()
    await settle(daemon)
    await daemon.stop('SIGKILL')
  }
})
