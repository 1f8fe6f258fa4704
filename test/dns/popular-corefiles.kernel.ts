// Popular Corefiles start unchanged in a namespace of their own and answer a service there; CoreDNS is asked the same
// where it is built. Only where the API server is, is told them by the environment a pod would have.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeQuery, queryOf } from '@kubewire/dns-core'
import { readReply, type SeenReply } from '@kubewire/dns-core/cases'
import { namespace, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOverUdp } from '../conformance/dns/ask.ts'
import { originalBinary } from '../harness/api-server.ts'
import { bundleDaemon } from '../harness/daemon.ts'
import { type RunningProgram, startProgram } from '../harness/process.ts'
import { freePorts } from './daemon-world.ts'
import { type PopularCorefile, popularCorefiles } from './popular-corefiles.ts'

const original = builtOriginal()
if (original === undefined) console.log('popular Corefiles beside CoreDNS: skipped, it is not built (pnpm originals)')

describe('a popular Corefile', () => {
  let api: MiniApiServer
  let dir: string
  beforeAll(async () => {
    api = await createMiniApiServer({ isPlainHttp: true, runsEndpointSlices: false })
    api.apply(namespace('default'), namespace('shop'))
    api.apply(service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }))
    dir = mkdtempSync(join(tmpdir(), 'kwtest-corefiles-'))
    writeFileSync(join(dir, 'kubeconfig'), api.kubeconfig())
    writeFileSync(join(dir, 'resolv.conf'), 'nameserver 192.0.2.53\n')
  })
  afterAll(async () => {
    await api?.close()
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  })

  /** Starts a program on free ports; everything else of the Corefile stays as it is. */
  const start = async (program: readonly string[], popular: PopularCorefile) => {
    const [dns = 0, ...http] = await freePorts(8)
    const home = join(dir, `run-${dns}`)
    for (const [name, text] of Object.entries(popular.files ?? {})) write(join(home, name), text, dns)
    write(join(home, 'Corefile'), adapted(popular.corefile, home, dns, http), dns)
    const [command = '', ...args] = program
    const running = startProgram({ program: command, args: [...args, '-conf', join(home, 'Corefile')], cwd: home })
    await running.waitUntil(() => running.output().includes('CoreDNS-'), 20_000)
    return { running, dns }
  }
  const write = (path: string, text: string, dns: number): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replaceAll(/:53(?= \{)/g, `:${dns}`))
  }
  /** Ports, paths and the API server of this machine in the places of a cluster's. */
  const adapted = (corefile: string, home: string, dns: number, http: readonly number[]): string => {
    const [health, ready, metrics, other] = http
    return corefile
      .replaceAll(/:(?:53|5353)(?= \{)/g, `:${dns}`)
      .replace(/^( *health)(?: (?:127\.0\.0\.1)?:8080)?/m, `$1 127.0.0.1:${health}`)
      .replace(/^( *ready)(?: :8181)?/m, `$1 127.0.0.1:${ready}`)
      .replaceAll(/prometheus (?:127\.0\.0\.1)?:9153/g, `prometheus 127.0.0.1:${metrics}`)
      .replaceAll(':9253', `127.0.0.1:${other}`)
      .replaceAll('/etc/resolv.conf', join(dir, 'resolv.conf'))
      .replaceAll('/etc/coredns/', `${home}/`)
      .replace(/^( *kubernetes .*\{)$/m, `$1\n    kubeconfig ${join(dir, 'kubeconfig')}`)
  }
  const ask = async (name: string, port: number): Promise<SeenReply | undefined> => {
    const bytes = encodeQuery(queryOf(name, 1, { id: 7 }))
    return readReply(await askOverUdp(bytes, { address: '127.0.0.1', port }))
  }
  const questions = ['tea.shop.svc.cluster.local.', 'nope.shop.svc.cluster.local.']
  const answersOf = async (program: readonly string[], popular: PopularCorefile): Promise<unknown> => {
    const { running, dns } = await start(program, popular)
    try {
      const replies = []
      // A forwarding cache has no server to ask here: only its start counts.
      for (const name of popular.corefile.includes('kubernetes ') ? questions : []) {
        const reply = await ask(name, dns)
        replies.push([reply?.rcode, reply?.answer])
      }
      return replies
    } finally {
      await stop(running)
    }
  }
  const stop = (running: RunningProgram): Promise<void> => running.stop('SIGKILL')

  it.each(popularCorefiles)(
    'of $name starts unchanged and answers',
    async (popular) => {
      const ours = await answersOf([process.execPath, await bundleDaemon('coredns-ts')], popular)
      if (popular.corefile.includes('kubernetes '))
        expect(ours).toMatchObject([
          ['NOERROR', [{}]],
          ['NXDOMAIN', []],
        ])
      if (original !== undefined) expect(ours).toEqual(await answersOf([original], popular))
    },
    60_000,
  )
})

function builtOriginal(): string | undefined {
  try {
    return originalBinary('coredns')
  } catch {
    return undefined
  }
}
