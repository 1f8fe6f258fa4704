// Several processes that serve as one: ports, metrics, readiness, reload and signals, with both UDP back ends.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { encodeQuery, queryOf, rrType } from '@kubewire/dns-core'
import type { KubeObject } from '@kubewire/kube-model'
import { namespace, service } from '@kubewire/kube-model/testing'
import type { MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, startDaemonWorld } from './daemon-world.ts'

const tea = 'tea.shop.svc.cluster.local.'
const corefile = (ttl = 5): string => `.:{{port}} {
  errors
  health 127.0.0.1:{{other0}}
  ready 127.0.0.1:{{other1}}
  prometheus 127.0.0.1:{{other2}}
  kubernetes cluster.local {
    kubeconfig {{kubeconfig}}
    ttl ${ttl}
  }
}`
const prepare = (api: MiniApiServer): void =>
  api.apply<KubeObject>(namespace('shop'), service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }))

/** Asks once from a socket of its own, so that the kernel chooses a worker anew; the TTL of the answer. */
async function ttlOf(port: number, id: number): Promise<number> {
  const socket = createSocket('udp4')
  const timer = setTimeout(() => socket.close(), 3000)
  socket.send(encodeQuery(queryOf(tea, rrType.A, { id })), port, '127.0.0.1')
  const [reply] = (await Promise.race([once(socket, 'message'), once(socket, 'close')])) as [Buffer?]
  clearTimeout(timer)
  if (reply !== undefined) socket.close()
  return reply === undefined ? -1 : reply.readUInt16BE(reply.length - 8)
}

const manyTtls = (port: number): Promise<number[]> =>
  Promise.all(Array.from({ length: 60 }, (_, id) => ttlOf(port, id)))

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((id) => {
    if (!/^[0-9]+$/.test(id) || !existsSync(`/proc/${id}/stat`)) return []
    return readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[1] === String(pid)
      ? [Number(id)]
      : []
  })
}

describe.each(['dgram', 'batched'])('two workers with the %s back end', (backend) => {
  let world: DaemonWorld
  const metric = async (pattern: RegExp): Promise<number> =>
    Number(pattern.exec((await world.get(world.others[2] ?? 0, '/metrics')).body)?.[1] ?? 0)
  beforeAll(async () => {
    world = await startDaemonWorld(corefile(), { prepare, args: ['-workers', '2', '-udp-backend', backend] })
    await eventually(
      () => world.get(world.others[1] ?? 0, '/ready'),
      ({ status }) => status === 200,
    )
  })
  afterAll(() => world?.close())

  it('answer on one port, over UDP and TCP', async () => {
    expect(childrenOf(world.daemon.pid)).toHaveLength(2)
    expect(await manyTtls(world.port)).toEqual(Array.from({ length: 60 }, () => 5))
    for (const transport of ['udp', 'tcp', 'tcp', 'tcp'] as const) {
      expect((await world.ask(`${tea} A`, transport))?.answer).toHaveLength(1)
    }
  })

  it('count together', async () => {
    const asked = /^coredns_dns_requests_total\{.*proto="udp".*type="A".*\} ([0-9]+)$/m
    const before = await metric(asked)
    await manyTtls(world.port)
    expect((await metric(asked)) - before).toBe(60)
    expect(await metric(/^coredns_plugin_enabled\{.*name="kubernetes".*\} ([0-9]+)$/m)).toBe(1)
  })

  it('follow a change of the cluster, all of them', async () => {
    world.api.delete('Service', 'tea', 'shop')
    world.api.apply(service('shop/tea', { clusterIP: '10.96.4.5', clusterIPs: ['10.96.4.5'] }))
    const seen = await eventually(
      () => Promise.all(Array.from({ length: 20 }, () => world.ask(`${tea} A`))),
      (replies) => replies.every((reply) => JSON.stringify(reply).includes('10.96.4.5')),
    )
    expect(seen.map((reply) => JSON.stringify(reply).includes('10.96.4.5'))).not.toContain(false)
  })

  it('load a new Corefile, all of them', async () => {
    world.writeCorefile(corefile(7))
    process.kill(world.daemon.pid, 'SIGUSR1')
    const seen = await eventually(
      () => manyTtls(world.port),
      (ttls) => ttls.every((ttl) => ttl === 7),
      15_000,
    )
    expect(new Set(seen)).toEqual(new Set([7]))
  })

  it('keep the old one when the first of them cannot load the new', async () => {
    world.writeCorefile(`${corefile(9)}\nnonsense {`)
    process.kill(world.daemon.pid, 'SIGUSR1')
    const failed = /^coredns_reload_failed_total ([0-9]+)$/m
    expect(
      await eventually(
        () => metric(failed),
        (count) => count > 0,
        15_000,
      ),
    ).toBe(1)
    expect(new Set(await manyTtls(world.port))).toEqual(new Set([7]))
  })

  it('end together', async () => {
    const children = childrenOf(world.daemon.pid)
    await world.daemon.stop('SIGTERM')
    expect((await world.daemon.ended).exitCode).toBe(0)
    expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  })
})

describe('workers that fail', () => {
  it('end all when one is lost', async () => {
    const world = await startDaemonWorld(corefile(), { prepare, args: ['-workers', '2'] })
    const children = childrenOf(world.daemon.pid)
    process.kill(children[1] ?? 0, 'SIGKILL')
    expect((await world.daemon.ended).exitCode).toBe(1)
    expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    expect(world.daemon.output()).toContain('worker 2 ended')
    await world.close()
  })

  it('say once why they do not start', async () => {
    const started = startDaemonWorld('.:{{port}} {\n nosuch\n}', { args: ['-workers', '3'] })
    const error: unknown = await started.then((world) => world.close()).catch((cause: unknown) => cause)
    expect(String(error).split('nosuch')).toHaveLength(2)
  })
})
