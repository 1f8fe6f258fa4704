// The harness itself: a namespace carries traffic between its ends, says who refused, and leaves nothing behind.

import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dialer, startDialer } from './dialer.ts'
import { startEchoServer } from './echo-process.ts'
import type { EchoAnswer, EchoServer } from './echo-server.ts'
import { connectNetns, createNetns, type Netns, whyNoNetns } from './netns.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`harness.kernel.ts skipped: ${reason}`)

describe.skipIf(reason !== undefined)('two namespaces joined by a veth pair', () => {
  let node: Netns
  let client: Netns
  let echo: EchoServer
  let dialer: Dialer

  beforeAll(async () => {
    node = await createNetns('node', { 'resolv.conf': 'nameserver 192.0.2.53\n' })
    client = await createNetns('client')
    await connectNetns(
      { netns: node, device: 'eth0', addresses: ['192.0.2.1/24', '2001:db8::1/64'] },
      { netns: client, device: 'eth0', addresses: ['192.0.2.2/24', '2001:db8::2/64'] },
    )
    await node.addAddresses(['198.51.100.7'])
    await client.addRoute('198.51.100.0/24', 'via', '192.0.2.1')
    echo = await startEchoServer(node, [
      { name: 'tea', protocol: 'tcp', address: '198.51.100.7', port: 8080 },
      { name: 'tea-six', protocol: 'tcp', address: '2001:db8::1', port: 8080 },
      { name: 'milk', protocol: 'udp', address: '198.51.100.7', port: 5353 },
    ])
    dialer = await startDialer(client)
  })

  afterAll(async () => {
    await dialer?.close()
    await echo?.close()
    await client?.close()
    await node?.close()
  })

  const answered = async (dial: Parameters<Dialer['dial']>[0]): Promise<EchoAnswer> => {
    const dialed = await dialer.dial(dial)
    if (dialed.kind !== 'answered') throw new Error(JSON.stringify(dialed))
    return JSON.parse(dialed.answer) as EchoAnswer
  }

  it('a TCP endpoint answers with its name and the client it saw', async () => {
    const answer = await answered({ protocol: 'tcp', address: '198.51.100.7', port: 8080, send: 'milk, please' })
    expect(answer).toMatchObject({ name: 'tea', local: '198.51.100.7:8080', received: 'milk, please' })
    expect(answer.remote).toMatch(/^192\.0\.2\.2:/)
  })

  it('an IPv6 endpoint is reached from a chosen source address', async () => {
    const answer = await answered({ protocol: 'tcp', address: '2001:db8::1', port: 8080, from: '2001:db8::2' })
    expect(answer.remote).toMatch(/^\[2001:db8::2]:/)
  })

  it('a UDP endpoint answers from the address it was asked at', async () => {
    expect(await answered({ protocol: 'udp', address: '198.51.100.7', port: 5353 })).toMatchObject({ name: 'milk' })
  })

  it('a closed port is refused and an address nobody has stays silent', async () => {
    expect(await dialer.dial({ protocol: 'tcp', address: '198.51.100.7', port: 81 })).toEqual({ kind: 'refused' })
    expect(await dialer.dial({ protocol: 'udp', address: '198.51.100.7', port: 81 })).toEqual({ kind: 'refused' })
    const silent = { protocol: 'tcp', address: '192.0.2.9', port: 80, timeoutMs: 150 } as const
    expect(await dialer.dial(silent)).toEqual({ kind: 'silent' })
  })

  it('programs inside see the files given for /etc', async () => {
    expect(await node.mustRun('cat', ['/etc/resolv.conf'])).toBe('nameserver 192.0.2.53\n')
  })

  it('closing a namespace ends what runs inside and removes every trace', async () => {
    const brief = await createNetns('brief', { hosts: '' })
    const sleeper = brief.start({ program: 'sleep', args: ['60'] })
    await brief.close()
    await sleeper.ended
    expect(existsSync(`/run/netns/${brief.name}`)).toBe(false)
    expect(existsSync(`/etc/netns/${brief.name}`)).toBe(false)
  })
})
