// The machine room of the real runs: a node with its own addresses, clients on both sides, endpoints behind it, and a
// catch-all that answers whatever leaves the node untranslated. All in namespaces of their own.

import { type Dialer, startDialer } from '../../harness/dialer.ts'
import { startEchoServer } from '../../harness/echo-process.ts'
import type { EchoEndpoint, EchoServer } from '../../harness/echo-server.ts'
import { connectNetns, createNetns, type Netns } from '../../harness/netns.ts'

/** Where clients live, by the interface of the node they come in on. */
export type ClientSide = 'cni0' | 'eth0'

// Addresses of the link to the far side.
const nodeLinkAddress = { 4: '169.254.77.1', 6: 'fd00:77::1' } as const
const backendLinkAddress = { 4: '169.254.77.2', 6: 'fd00:77::2' } as const

/** The namespaces and what runs in them. */
export interface Lab {
  readonly node: Netns
  readonly backend: Netns
  readonly dialers: { readonly node: Dialer; readonly cni0: Dialer; readonly eth0: Dialer }
  /** Makes an address exist: on the node, or at a client with a route to it. Repeats cost nothing. */
  addNodeAddress(address: string): Promise<void>
  removeNodeAddress(address: string): Promise<void>
  addClient(side: ClientSide, address: string): Promise<void>
  removeClient(address: string): Promise<void>
  /** Where an address lives as a client, if it does. */
  clientSide(address: string): ClientSide | undefined
  /** Takes back the addresses of a case. */
  clearAddresses(): Promise<void>
  /** Listens at the catch-all, on the node, or among the clients; a place that is taken already is fine. */
  listen(where: 'backend' | 'node' | ClientSide, endpoints: readonly EchoEndpoint[]): Promise<void>
  close(): Promise<void>
}

/** Builds the lab. Needs root. */
export async function createLab(): Promise<Lab> {
  const node = await createNetns('node')
  const cni0 = await createNetns('pods')
  const eth0 = await createNetns('outside')
  const backend = await createNetns('ends')
  await joinClient(node, cni0, 'cni0', 1)
  await joinClient(node, eth0, 'eth0', 2)
  await joinBackend(node, backend)
  await setNodeSysctls(node)
  const clients = { cni0, eth0 }
  const echoes: Readonly<Record<'node' | 'backend' | ClientSide, EchoServer>> = {
    node: await startEchoServer(node),
    backend: await startEchoServer(backend),
    cni0: await startEchoServer(cni0),
    eth0: await startEchoServer(eth0),
  }
  const dialers = { node: await startDialer(node), cni0: await startDialer(cni0), eth0: await startDialer(eth0) }
  const nodeAddresses = new Set<string>()
  const clientSides = new Map<string, ClientSide>()
  const listening = new Set<string>()
  const removeClient = async (address: string): Promise<void> => {
    const side = clientSides.get(address)
    if (side === undefined) return
    clientSides.delete(address)
    await clients[side].removeAddresses([address])
    await node.mustRun('ip', [address.includes(':') ? '-6' : '-4', 'route', 'del', address])
  }
  return {
    removeClient,
    node,
    backend,
    dialers,
    async addNodeAddress(address) {
      if (nodeAddresses.has(address) || address.startsWith('127.') || address === '::1') return
      nodeAddresses.add(address)
      await node.addAddresses([address])
    },
    async addClient(side, address) {
      const before = clientSides.get(address)
      if (before === side) return
      clientSides.set(address, side)
      if (before !== undefined) await clients[before].removeAddresses([address])
      await clients[side].addAddresses([address])
      const family = address.includes(':') ? '-6' : '-4'
      await node.mustRun('ip', [
        family,
        'route',
        'replace',
        address,
        'via',
        clientLink(side, family === '-6'),
        'dev',
        side,
      ])
    },
    async removeNodeAddress(address) {
      if (nodeAddresses.delete(address)) await node.removeAddresses([address])
    },
    clientSide: (address) => clientSides.get(address),
    async clearAddresses() {
      if (nodeAddresses.size > 0) await node.removeAddresses([...nodeAddresses])
      nodeAddresses.clear()
      for (const address of [...clientSides.keys()]) await removeClient(address)
    },
    async listen(where, endpoints) {
      for (const one of endpoints) {
        const key = `${where} ${one.protocol} ${one.address} ${one.port}`
        if (listening.has(key)) continue
        listening.add(key)
        await echoes[where].add([one]).catch((error: unknown) => {
          if (!String(error).includes('EADDRINUSE')) throw error
        })
      }
    },
    async close() {
      await Promise.all([
        ...Object.values(echoes).map((echo) => echo.close()),
        ...Object.values(dialers).map((dialer) => dialer.close()),
      ])
      for (const netns of [node, cni0, eth0, backend]) await netns.close()
    },
  }
}

function clientLink(side: ClientSide, isIp6: boolean): string {
  const index = side === 'cni0' ? 1 : 2
  return isIp6 ? `fd00:78:${index}::2` : `169.254.78.${index * 4 + 2}`
}

async function joinClient(node: Netns, client: Netns, device: ClientSide, index: number): Promise<void> {
  const base = index * 4
  await connectNetns(
    { netns: node, device, addresses: [`169.254.78.${base + 1}/30`, `fd00:78:${index}::1/64`] },
    { netns: client, device: 'up0', addresses: [`169.254.78.${base + 2}/30`, `fd00:78:${index}::2/64`] },
  )
  await client.addRoute('default', 'via', `169.254.78.${base + 1}`)
  await client.addRoute('default', 'via', `fd00:78:${index}::1`)
}

// Every address beyond the node is local to the far side, so that whatever arrives there is answered.
async function joinBackend(node: Netns, backend: Netns): Promise<void> {
  await connectNetns(
    { netns: node, device: 'be0', addresses: [`${nodeLinkAddress[4]}/30`, `${nodeLinkAddress[6]}/64`] },
    { netns: backend, device: 'up0', addresses: [`${backendLinkAddress[4]}/30`, `${backendLinkAddress[6]}/64`] },
  )
  await node.addRoute('default', 'via', backendLinkAddress[4])
  await node.addRoute('default', 'via', backendLinkAddress[6])
  for (const [family, all, via] of [
    ['-4', '0.0.0.0/0', nodeLinkAddress[4]],
    ['-6', '::/0', nodeLinkAddress[6]],
  ] as const) {
    // What is sent here leaves by the main table; what arrives is local, and so may be answered from any address.
    await backend.mustRun('ip', [family, 'rule', 'add', 'iif', 'lo', 'lookup', 'main', 'pref', '1'])
    await backend.mustRun('ip', [family, 'rule', 'add', 'lookup', 'local', 'pref', '5'])
    await backend.mustRun('ip', [family, 'rule', 'del', 'pref', '0'])
    await backend.mustRun('ip', [family, 'route', 'add', 'local', all, 'dev', 'lo', 'table', 'local'])
    await backend.mustRun('ip', [family, 'route', 'add', 'default', 'via', via])
  }
  await backend.setSysctl('net.ipv4.ip_nonlocal_bind', 1)
  await backend.setSysctl('net.ipv6.ip_nonlocal_bind', 1)
}

async function setNodeSysctls(node: Netns): Promise<void> {
  await node.setSysctl('net.ipv4.ip_forward', 1)
  await node.setSysctl('net.ipv6.conf.all.forwarding', 1)
  await node.setSysctl('net.ipv4.icmp_ratelimit', 0)
  await node.setSysctl('net.ipv6.icmp.ratelimit', 0)
  await node.setSysctl('net.ipv4.conf.all.route_localnet', 1)
  await node.setSysctl('net.ipv4.conf.be0.route_localnet', 1)
  for (const device of ['all', 'default', 'cni0', 'eth0', 'be0'])
    await node.setSysctl(`net.ipv4.conf.${device}.rp_filter`, 0)
}
