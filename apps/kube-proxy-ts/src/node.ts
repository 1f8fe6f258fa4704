// This node as the API server knows it: its object, and what a change of it means.

import type { Clock, Log } from '@kubewire/daemon-kit'
import { type Cluster, createInformer, type Informer } from '@kubewire/informer'
import { Nodes } from '@kubewire/informer/resources'
import { deepEqual, type Node, objectKey, zoneLabel } from '@kubewire/kube-model'
import { nodeAddresses } from './config/node-ips.ts'

/** Why the process must end and be started again. */
export type NodeFault = 'node-deleted' | 'node-ips-changed' | 'pod-cidrs-changed'

/** What a change of the node object asks for. */
export function nodeChange(
  before: Node | undefined,
  after: Node | undefined,
  usesPodCidrs: boolean,
): NodeFault | 'zone-changed' | 'nothing' {
  if (before !== undefined && after === undefined) return 'node-deleted'
  if (before !== undefined && after !== undefined) {
    const ips = (node: Node): readonly string[] => nodeAddresses(node).map((ip) => ip.text)
    if (ips(before).length > 0 && !deepEqual(ips(before), ips(after))) return 'node-ips-changed'
    if (usesPodCidrs && !deepEqual(before.spec?.podCIDRs ?? [], after.spec?.podCIDRs ?? [])) return 'pod-cidrs-changed'
  }
  const zone = (node: Node | undefined): string | undefined => node?.metadata?.labels?.[zoneLabel]
  return zone(before) === zone(after) ? 'nothing' : 'zone-changed'
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
