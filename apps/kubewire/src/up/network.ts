// Builds and removes the network of a demo: four namespaces, three links, routes, forwarding.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { addressLines, createNamespace, inside, ipBatch, mustRun, removeNamespace, split } from './netns.ts'
import { type DemoPlan, demoLinks, demoNetwork } from './plan.ts'

/** Makes everything; on an error what was made is left for `removeNetwork`. */
export async function createNetwork(plan: DemoPlan): Promise<void> {
  await writeResolvConf(plan)
  const { node, pods, client, outside } = plan.namespaces
  for (const namespace of [node, pods, client, outside]) await createNamespace(namespace)
  for (const part of ['pods', 'client', 'outside'] as const) await connect(plan, part)
  await ipBatch(node, [
    ...demoNetwork.podNetworks.map((network) => `route add ${network} via ${viaOf('pods', network)}`),
    ...demoNetwork.client.map((address) => `route add ${address} via ${viaOf('client', address)}`),
    `route add ${demoNetwork.outsideSecond} via ${bare(demoNetwork.outside[0])}`,
    // A node has a way out; the packets of a Service need a route before the rules rewrite them.
    `route add default via ${bare(demoNetwork.outside[0])}`,
    `route add default via ${bare(demoNetwork.outside[1])}`,
  ])
  await ipBatch(client, addressLines('replace', demoNetwork.client, 'lo'))
  for (const part of ['pods', 'client'] as const) {
    const [source4, source6] = part === 'client' ? demoNetwork.client : []
    const src = (source: string | undefined): string => (source === undefined ? '' : ` src ${source}`)
    const [via4, via6] = demoLinks[part].nodeAddresses
    await ipBatch(plan.namespaces[part], [
      `route add default via ${bare(via4)}${src(source4)}`,
      `route add default via ${bare(via6)}${src(source6)}`,
    ])
  }
  await ipBatch(outside, [
    ...addressLines('replace', [demoNetwork.outsideSecond], 'lo'),
    ...demoNetwork.loadBalancers.map((network) => `route add ${network} via ${bare(demoNetwork.node[0])}`),
  ])
  await mustRun(...split(inside(node, 'sh', '-c', forwarding)))
}

/** Removes everything that `createNetwork` made, as far as it is there. */
export async function removeNetwork(plan: DemoPlan): Promise<void> {
  for (const namespace of Object.values(plan.namespaces)) {
    await removeNamespace(namespace)
    await rm(`/etc/netns/${namespace}`, { recursive: true, force: true })
  }
}

// What a node of a cluster has on. `rp_filter` stays as it is: the demo's routes are symmetric.
const forwarding =
  'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding 2>/dev/null; true'

async function connect(plan: DemoPlan, part: keyof typeof demoLinks): Promise<void> {
  const { nodeDevice, nodeAddresses, device, addresses } = demoLinks[part]
  const { node } = plan.namespaces
  const peer = plan.namespaces[part]
  await mustRun('ip', split2(`link add ${nodeDevice} netns ${node} type veth peer name ${device} netns ${peer}`))
  await ipBatch(node, [...addressLines('replace', nodeAddresses, nodeDevice), `link set ${nodeDevice} up`])
  await ipBatch(peer, [...addressLines('replace', addresses, device), `link set ${device} up`])
}

// `ip netns exec` shows programs these files instead of the machine's.
async function writeResolvConf(plan: DemoPlan): Promise<void> {
  const pod = `nameserver ${demoNetwork.dnsService}\nsearch shop.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n`
  const texts = { client: pod, pods: `nameserver ${demoNetwork.dnsService}\n`, node: '', outside: '' }
  for (const [part, text] of Object.entries(texts)) {
    const folder = `/etc/netns/${plan.namespaces[part as keyof typeof texts]}`
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}/resolv.conf`, text)
  }
}

function viaOf(part: 'pods' | 'client', destination: string): string {
  const [ipv4, ipv6] = demoLinks[part].addresses
  return bare(destination.includes(':') ? ipv6 : ipv4)
}

function bare(address: string): string {
  return address.replace(/\/.*$/, '')
}

function split2(words: string): string[] {
  return words.split(' ')
}
