// This node as the API server knows it: its object, and what a change of it means.
// Source: kube-proxy 1.37 pkg/proxy/node.go.

import type { Clock, Log } from '@kubewire/daemon-kit'
import { type Cluster, createInformer, type Informer } from '@kubewire/informer'
import { Nodes } from '@kubewire/informer/resources'
import { deepEqual, type Node, objectKey, zoneLabel } from '@kubewire/kube-model'
import { nodeAddresses } from './config/node-ips.ts'

/** Why the process must end and be started again. */
export type NodeFault = 'node-deleted' | 'node-ips-changed' | 'pod-cidrs-changed'

/** What the proxy was set up from. A node that differs later ends the process, so that it is set up anew. */
export interface NodeBasis {
  readonly isKnown: boolean
  readonly ips: readonly string[]
  readonly podCidrs: readonly string[]
}

/** What a node, or its absence, gives to be set up from. */
export function nodeBasis(node: Node | undefined): NodeBasis {
  const ips = nodeAddresses(node).map((ip) => ip.text)
  return { isKnown: node !== undefined, ips, podCidrs: node?.spec?.podCIDRs ?? [] }
}

/** Why the proxy cannot go on with the node as it is now. Addresses that come late count too. */
export function nodeFault(basis: NodeBasis, node: Node | undefined, usesPodCidrs: boolean): NodeFault | undefined {
  if (node === undefined) return basis.isKnown ? 'node-deleted' : undefined
  const now = nodeBasis(node)
  if (!deepEqual(now.ips, basis.ips)) return 'node-ips-changed'
  return usesPodCidrs && !deepEqual(now.podCidrs, basis.podCidrs) ? 'pod-cidrs-changed' : undefined
}

/** The one label that rules depend on. */
export function zoneOf(node: Node | undefined): string | undefined {
  return node?.metadata?.labels?.[zoneLabel]
}

/** An informer of the one node. */
export function watchNode(cluster: Cluster, nodeName: string): Informer<Node> {
  return createInformer<Node>(cluster.source(Nodes, { fieldSelector: `metadata.name=${nodeName}` })).start()
}

/** Limits of the waiting at start. */
export interface AwaitNodeOptions {
  readonly nodeName: string
  readonly usesPodCidrs: boolean
  readonly clock: Clock
  readonly log: Log
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

const addressLimitMs = 30_000
const podCidrLimitMs = 5 * 60_000

/**
 * Waits until the node has addresses (30 s, then it goes on without), and with mode NodeCIDR until it has pod CIDRs.
 *
 * @throws Error when pod CIDRs do not come within five minutes, or the reason of the signal
 */
export async function awaitNode(informer: Informer<Node>, options: AwaitNodeOptions): Promise<Node | undefined> {
  const { nodeName, usesPodCidrs, clock, log, signal } = options
  const startMs = clock.nowMs()
  const read = (): Node | undefined => informer.store.getByKey(objectKey(undefined, nodeName))
  for (;;) {
    signal.throwIfAborted()
    const node = read()
    const waitedMs = clock.nowMs() - startMs
    const hasAddresses = nodeAddresses(node).length > 0
    const hasCidrs = !usesPodCidrs || (node?.spec?.podCIDRs ?? []).length > 0
    if (hasAddresses && hasCidrs) return node
    if (usesPodCidrs && waitedMs >= podCidrLimitMs)
      throw new Error(
        node === undefined
          ? `timeout waiting for node "${nodeName}" to exist`
          : `timeout waiting for PodCIDR allocation on node "${nodeName}"`,
      )
    if (!usesPodCidrs && waitedMs >= addressLimitMs) {
      log.error('Failed to retrieve node IPs', { node: nodeName })
      return node
    }
    await clock.sleep(Math.min(1000, waitedMs < 2000 ? 50 : 1000), signal)
  }
}
