// What the DNS daemon does apart from its answers: transports and their limits, changes of the cluster and of the
// Corefile, signals, the HTTP ports, a dead upstream, an API server that is gone.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { encodeQuery, metricDefinitions, printRecord, queryOf } from '@kubewire/dns-core'
import type { SeenReply } from '@kubewire/dns-core/cases'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import type { MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, startDaemonWorld } from './daemon-world.ts'
import { frame, readIds } from './frames.ts'

const tea = 'tea.shop.svc.cluster.local.'
const cluster = 'kubernetes cluster.local in-addr.arpa {\n kubeconfig {{kubeconfig}}\n }'
const fill = (api: MiniApiServer): void => {
  const objects: readonly KubeObject[] = [
    namespace('shop'),
    service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }),
    service('shop/db', { clusterIP: 'None', clusterIPs: ['None'] }),
    endpointSlice('shop/db', ['10.20.3.4']),
  ]
  api.apply(...objects)
}
const addresses = (reply: SeenReply | undefined): string[] =>
  (reply?.answer ?? []).map((record) => printRecord(record).split(' ').pop() ?? '').sort()

describe('a daemon that serves a cluster', () => {
  let world: DaemonWorld
  beforeAll(async () => {
    world = await startDaemonWorld(
      `.:{{port}} {\n errors\n health 127.0.0.1:{{other0}}\n ready 127.0.0.1:{{other1}}\n prometheus 127.0.0.1:{{other2}}\n ${cluster}\n }`,
      { prepare: fill },
    )
  })
  afterAll(() => world?.close())

  it('answers over UDP and TCP, the second time from ready bytes', async () => {
    for (const transport of ['udp', 'udp', 'tcp', 'tcp'] as const) {
      expect(addresses(await world.ask(`${tea} A`, transport))).toEqual(['10.96.4.4'])
    }
  })

  it('follows a change of endpoints', async () => {
    expect(addresses(await world.ask('db.shop.svc.cluster.local. A'))).toEqual(['10.20.3.4'])
    world.api.apply(endpointSlice('shop/db', ['10.20.3.4', '10.20.3.5']))
    const seen = await eventually(
      () => world.ask('db.shop.svc.cluster.local. A'),
      (reply) => reply?.answer.length === 2,
    )
    expect(addresses(seen)).toEqual(['10.20.3.4', '10.20.3.5'])
  })

  it('answers many questions of one connection, and half messages when they are whole', async () => {
    const socket = await open(world.port)
    const frames = [1, 2, 3].map((id) => frame(encodeQuery(queryOf(tea, 1, { id }))))
    const bytes = Buffer.concat(frames)
    socket.write(bytes.subarray(0, bytes.length - 5))
    expect(await readIds(socket, 2)).toEqual([1, 2])
    socket.write(bytes.subarray(bytes.length - 5))
    expect(await readIds(socket, 1)).toEqual([3])
    socket.destroy()
  })

  it('ends connections that begin a message and stop', async () => {
    const socket = await open(world.port)
    socket.write(Buffer.from([0, 40, 1]))
    const start = Date.now()
    await once(socket, 'close')
    expect(Date.now() - start).toBeLessThan(15_000)
  }, 20_000)

  it('says OK on its health and ready ports', async () => {
    const [health = 0, ready = 0] = world.others
    expect(await world.get(health, '/health')).toEqual({ status: 200, body: 'OK' })
    expect(await world.get(ready, '/ready')).toEqual({ status: 200, body: 'OK' })
  })

  it('exposes metrics that parse, every one under a known name', async () => {
    await world.ask(`${tea} AAAA`)
    const { body } = await world.get(world.others[2] ?? 0, '/metrics')
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const pattern = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? (?:[0-9.e+-]+|NaN)$/
    expect(lines.filter((line) => !pattern.test(line))).toEqual([])
    const known = new Set(metricDefinitions.map(({ name }) => name))
    const names = lines.map((line) => (pattern.exec(line)?.[1] ?? '').replace(/_(bucket|sum|count)$/, ''))
    expect(names.filter((name) => !name.startsWith('process_') && !known.has(name))).toEqual([])
    expect(body).toContain(
      `coredns_dns_requests_total{server="dns://:${world.port}",zone=".",view="",proto="udp",family="1",type="A"}`,
    )
    expect(body).toContain('rcode="NOERROR",plugin="kubernetes"')
  })

  it('goes on answering from its store when the API server is gone', async () => {
    await world.api.close()
    expect(addresses(await world.ask(`${tea} A`))).toEqual(['10.96.4.4'])
    expect((await world.ask('nope.shop.svc.cluster.local. A'))?.rcode).toBe('NXDOMAIN')
  })
})

describe('a daemon whose Corefile changes', () => {
  let world: DaemonWorld | undefined
  afterEach(() => world?.close())
  const hosts = (address: string, every = '60s'): string =>
    `.:{{port}} {\n hosts {\n ${address} a.example.org\n }\n reload ${every} 1s\n }`

  it('reads it again by itself, and at once when told by SIGUSR1', async () => {
    world = await startDaemonWorld(hosts('192.0.2.1'))
    const running = world
    expect(addresses(await running.ask('a.example.org. A'))).toEqual(['192.0.2.1'])
    running.writeCorefile(hosts('192.0.2.2', '2s'))
    process.kill(running.daemon.pid, 'SIGUSR1')
    const told = await eventually(
      () => running.ask('a.example.org. A'),
      (reply) => addresses(reply)[0] === '192.0.2.2',
    )
    expect(addresses(told)).toEqual(['192.0.2.2'])
    running.writeCorefile(hosts('192.0.2.3', '2s'))
    const seen = await eventually(
      () => running.ask('a.example.org. A'),
      (reply) => addresses(reply)[0] === '192.0.2.3',
    )
    expect(addresses(seen)).toEqual(['192.0.2.3'])
  }, 30_000)

  it('keeps the old one when the new one is wrong', async () => {
    world = await startDaemonWorld(hosts('192.0.2.1'))
    world.writeCorefile('.:{{port}} {\n nonsense\n}')
    process.kill(world.daemon.pid, 'SIGUSR1')
    const { daemon } = world
    await eventually(
      async () => daemon.output(),
      (text) => text.includes('Unknown directive'),
    )
    expect(addresses(await world.ask('a.example.org. A'))).toEqual(['192.0.2.1'])
  })

  it('serves through its lameduck time after SIGTERM and ends with status 0', async () => {
    world = await startDaemonWorld(
      '.:{{port}} {\n hosts {\n 192.0.2.1 a.example.org\n }\n health 127.0.0.1:{{other0}} {\n lameduck 5s\n }\n}',
    )
    process.kill(world.daemon.pid, 'SIGTERM')
    const { daemon } = world
    await eventually(
      async () => daemon.output(),
      (text) => text.includes('lameduck'),
    )
    expect(daemon.output()).toContain('Going into lameduck mode')
    expect(addresses(await world.ask('a.example.org. A'))).toEqual(['192.0.2.1'])
    expect((await world.daemon.ended).exitCode).toBe(0)
  })
})

describe('a daemon that forwards', () => {
  let world: DaemonWorld | undefined
  afterEach(() => world?.close())
  const upstream = '.:{{other1}} {\n template IN A {\n answer "{{ .Name }} 60 IN A 192.0.2.77"\n }\n }'

  it('goes around a dead upstream and notices that it is dead', async () => {
    world = await startDaemonWorld(
      `.:{{port}} {\n errors\n prometheus 127.0.0.1:{{other2}}\n forward . 127.0.0.1:{{other0}} 127.0.0.1:{{other1}} {\n policy sequential\n }\n }\n${upstream}`,
    )
    expect(addresses(await world.ask('a.example.org. A'))).toEqual(['192.0.2.77'])
    const metrics = world.others[2] ?? 0
    const running = world
    const seen = await eventually(
      async () => (await running.get(metrics, '/metrics')).body,
      (text) => text.includes('healthcheck_failures_total{'),
    )
    expect(seen).toContain('coredns_proxy_healthcheck_failures_total{proxy_name="forward"')
  })

  it('asks over TCP when told so, with one connection for many questions', async () => {
    world = await startDaemonWorld(
      `.:{{port}} {\n prometheus 127.0.0.1:{{other2}}\n forward . 127.0.0.1:{{other1}} {\n force_tcp\n }\n }\n${upstream}`,
    )
    for (const name of ['a', 'b', 'c'])
      expect(addresses(await world.ask(`${name}.example.org. A`))).toEqual(['192.0.2.77'])
    const { body } = await world.get(world.others[2] ?? 0, '/metrics')
    expect(body).toMatch(/coredns_proxy_conn_cache_misses_total\{[^}]*proto="tcp"\} 1\n/)
    expect(body).toMatch(/coredns_proxy_conn_cache_hits_total\{[^}]*proto="tcp"\} 2\n/)
  })

  it('notices a loop and ends', async () => {
    world = await startDaemonWorld('.:{{port}} {\n loop\n forward . 127.0.0.1:{{port}}\n }')
    const { exitCode } = await world.daemon.ended
    expect([exitCode, world.daemon.output().includes('detected for zone "."')]).toEqual([1, true])
  })
})

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
