// The forward plugin against DNS servers that are not ours, alive and dead, over every transport.

import { printRecord } from '@kubewire/dns-core'
import type { SeenReply } from '@kubewire/dns-core/cases'
import { afterEach, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, freePorts, startDaemonWorld } from './daemon-world.ts'
import {
  makeCertificate,
  type OtherServer,
  startKnot,
  startSilent,
  startUnbound,
  whyNoOtherServers,
} from './other-servers.ts'

const reason = whyNoOtherServers()
if (reason !== undefined) console.warn(`forward against other servers: skipped, ${reason}`)

const text = (reply: SeenReply | undefined): string =>
  reply === undefined
    ? 'no reply'
    : [reply.rcode, ...reply.answer.map((record) => printRecord(record).split('"')[1] ?? '')].join(' ')

describe.skipIf(reason !== undefined)('forward', () => {
  let world: DaemonWorld | undefined
  const others: OtherServer[] = []
  afterEach(async () => {
    await world?.close()
    await Promise.all(others.splice(0).map((other) => other.stop()))
  })

  /** `forward . TO {LINES}` with unbound on other0, Knot on other1; other2 is silent, nobody is on other3. */
  const start = async (to: string, lines = '', files = {}): Promise<DaemonWorld> => {
    const body = `prometheus 127.0.0.1:{{other5}}\n errors\n forward . ${to} {\n${lines}\n}`
    const made = await startDaemonWorld(`.:{{port}} {\n ${body}\n}`, { files })
    world = made
    others.push(await startUnbound(made.others[0] ?? 0))
    others.push(await startKnot(made.others[1] ?? 0))
    others.push(await startSilent(made.others[2] ?? 0))
    return made
  }
  const unbound = '127.0.0.1:{{other0}}'
  const knot = '127.0.0.1:{{other1}}'
  const silent = '127.0.0.1:{{other2}}'
  const nobody = '127.0.0.1:{{other3}}'
  const askMany = async (running: DaemonWorld, count: number): Promise<string[]> => {
    const seen: string[] = []
    for (let i = 0; i < count; i++) seen.push(text(await running.ask('who.example. TXT')))
    return seen
  }

  it('takes turns with round_robin', async () => {
    const seen = await askMany(await start(`${unbound} ${knot}`, 'policy round_robin'), 4)
    expect(seen).toEqual(['NOERROR unbound', 'NOERROR knot', 'NOERROR unbound', 'NOERROR knot'])
  })

  it('keeps to the first with sequential', async () => {
    const seen = await askMany(await start(`${knot} ${unbound}`, 'policy sequential'), 3)
    expect(new Set(seen)).toEqual(new Set(['NOERROR knot']))
  })

  it('reaches both with random', async () => {
    const seen = await askMany(await start(`${unbound} ${knot}`), 30)
    expect(new Set(seen)).toEqual(new Set(['NOERROR unbound', 'NOERROR knot']))
  })

  it('passes codes and flags of the upstream on', async () => {
    const running = await start(knot)
    const reply = await running.ask('nope.example. A')
    expect([reply?.rcode, reply?.authority.length]).toEqual(['NXDOMAIN', 1])
    expect(text(await running.ask('a.example.net. A'))).toBe('REFUSED')
  })

  it('goes around an upstream that refuses, and one that never answers', async () => {
    const running = await start(`${nobody} ${silent} ${knot}`, 'policy sequential\n read_timeout 200ms')
    expect(text(await running.ask('who.example. TXT'))).toBe('NOERROR knot')
  })

  it('asks a dead upstream no more once it failed often enough, and again when it lives', async () => {
    const running = await start(
      `${nobody} ${knot}`,
      'policy sequential\n max_fails 1\n health_check 100ms domain who.example',
    )
    await running.ask('who.example. TXT')
    const metrics = async (): Promise<string> => (await running.get(running.others[5] ?? 0, '/metrics')).body
    const dead = new RegExp(
      `healthcheck_failures_total\\{proxy_name="forward",to="127.0.0.1:${running.others[3]}"\\} ([0-9]+)`,
    )
    const failures = (body: string): number => Number(dead.exec(body)?.[1] ?? 0)
    expect(failures(await eventually(metrics, (body) => failures(body) > 1))).toBeGreaterThan(1)
    others.push(await startUnbound(running.others[3] ?? 0))
    const seen = await eventually(
      async () => text(await running.ask('who.example. TXT')),
      (answer) => answer === 'NOERROR unbound',
    )
    expect(seen).toBe('NOERROR unbound')
  })

  it('fails at once with failfast_all_unhealthy_upstreams when all are dead', async () => {
    const running = await start(nobody, 'max_fails 1\n health_check 100ms\n failfast_all_unhealthy_upstreams')
    expect(text(await running.ask('who.example. TXT'))).toBe('SERVFAIL')
  })

  it('resolves a host name by the server it is told', async () => {
    const [plain, upstream] = [await freePort(), await freePort()]
    others.push(await startUnbound(plain))
    others.push(await startKnot(upstream))
    world = await startDaemonWorld(
      `.:{{port}} {\n forward . knot.example:${upstream} {\n resolver 127.0.0.1:${plain}\n }\n}`,
    )
    expect(text(await world.ask('who.example. TXT'))).toBe('NOERROR knot')
  })

  it('does not start with a host name that nobody knows', async () => {
    const plain = await freePort()
    others.push(await startUnbound(plain))
    const started = startDaemonWorld(`.:{{port}} {\n forward . nope.example {\n resolver 127.0.0.1:${plain}\n }\n}`)
    await expect(started).rejects.toThrow('failed to resolve "nope.example"')
  })

  it('leaves names under except to others', async () => {
    expect(text(await (await start(knot, 'except who.example')).ask('who.example. TXT'))).toBe('SERVFAIL')
  })

  it('asks over TCP with force_tcp', async () => {
    const running = await start(knot, 'force_tcp')
    expect(text(await running.ask('who.example. TXT'))).toBe('NOERROR knot')
    const { body } = await running.get(running.others[5] ?? 0, '/metrics')
    expect(body).toMatch(/conn_cache_misses_total\{[^}]*proto="tcp"\} 1\n/)
  })

  it('passes truncation on to UDP clients, and repeats over TCP for TCP clients with prefer_udp', async () => {
    const running = await start(unbound, 'prefer_udp')
    const cut = await running.ask('many.example. A')
    const whole = await running.ask('many.example. A', 'tcp')
    expect([cut?.tc, whole?.tc, whole?.answer.length]).toEqual([true, false, 60])
  })

  it.each([
    ['TLS', 'tls', 0],
    ['HTTPS', 'https', 1],
  ] as const)('asks over %s and checks the name of the server', async (_name, scheme, at) => {
    const certificate = makeCertificate()
    const to = `${scheme}://127.0.0.1:{{other${2 + at}}}`
    const forwardTo = (name: string): string => `forward . ${to} {\n tls {{dir}}/ca\n tls_servername ${name}\n}`
    const running = await startDaemonWorld(
      `good.example:{{port}} who.example:{{port}} {\n ${forwardTo('dns.example')}\n}\n.:{{port}} {\n ${forwardTo('other.example')}\n}`,
      { files: { ca: certificate.cert } },
    )
    world = running
    const [plain = 0, , port = 0, httpsPort = 0] = running.others
    others.push(await startUnbound(plain, { port, httpsPort, certificate }))
    for (let i = 0; i < 3; i++) expect(text(await running.ask('who.example. TXT'))).toBe('NOERROR unbound')
    expect(text(await running.ask('many.example. A'))).toBe('SERVFAIL')
  })
})

async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
