// A daemon whose API server comes late, goes away and comes back with other objects: failures only before the first
// lists, answers from the store while it is away, the new state afterwards.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeQuery, printRecord, queryOf } from '@kubewire/dns-core'
import { readReply } from '@kubewire/dns-core/cases'
import { namespace, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOverUdp } from '../conformance/dns/ask.ts'
import { startDaemon } from '../harness/daemon.ts'
import type { RunningProgram } from '../harness/process.ts'
import { eventually, freePorts } from './daemon-world.ts'

describe('an API server that comes and goes', () => {
  let dir: string
  let daemon: RunningProgram
  let api: MiniApiServer | undefined
  let [dns, http, apiPort] = [0, 0, 0]
  const serve = async (address: string, firstVersion: number): Promise<void> => {
    // Versions only grow, also over a restart.
    const listen = `127.0.0.1:${apiPort}`
    api = await createMiniApiServer({ listen, isPlainHttp: true, runsEndpointSlices: false, firstVersion })
    api.apply(namespace('shop'))
    api.apply(service('shop/tea', { clusterIP: address, clusterIPs: [address] }))
  }
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'kwtest-away-'))
    ;[dns = 0, http = 0, apiPort = 0] = await freePorts(3)
    const corefile = `.:${dns} {
      ready 127.0.0.1:${http}
      kubernetes cluster.local {
        endpoint http://127.0.0.1:${apiPort}
        startup_timeout 1s
      }
    }`
    writeFileSync(join(dir, 'Corefile'), corefile)
    daemon = await startDaemon({
      daemon: 'coredns-ts',
      args: ['-conf', join(dir, 'Corefile')],
      isReady: ({ output }) => output().includes('CoreDNS-'),
    })
  })
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await api?.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const ask = async (name: string): Promise<string> => {
    const bytes = encodeQuery(queryOf(`${name}.shop.svc.cluster.local.`, 1, { id: 9 }))
    const reply = readReply(await askOverUdp(bytes, { address: '127.0.0.1', port: dns }))
    const [record] = reply?.answer ?? []
    return record === undefined ? (reply?.rcode ?? 'no reply') : (printRecord(record).split(' ').pop() ?? '')
  }
  const readiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${http}/ready`)).status

  it('fails questions and is not ready before the first lists', async () => {
    expect([await ask('tea'), await ask('nope'), await readiness()]).toEqual(['SERVFAIL', 'SERVFAIL', 503])
    expect(daemon.output()).toContain('starting server with unsynced Kubernetes API')
  })

  it('answers once the API server is there', async () => {
    await serve('10.96.4.4', 1000)
    expect(
      await eventually(
        () => ask('tea'),
        (text) => text === '10.96.4.4',
        20_000,
      ),
    ).toBe('10.96.4.4')
    expect(await eventually(readiness, (status) => status === 200, 20_000)).toBe(200)
    expect(await ask('nope')).toBe('NXDOMAIN')
  }, 50_000)

  it('goes on answering while it is away', async () => {
    await api?.close()
    for (let i = 0; i < 20; i++) expect(await ask('tea')).toBe('10.96.4.4')
    expect([await ask('nope'), await readiness()]).toEqual(['NXDOMAIN', 200])
  })

  it('takes over what changed meanwhile when it comes back', async () => {
    await serve('10.96.5.5', 5000)
    expect(
      await eventually(
        () => ask('tea'),
        (text) => text === '10.96.5.5',
        30_000,
      ),
    ).toBe('10.96.5.5')
  }, 40_000)
})
