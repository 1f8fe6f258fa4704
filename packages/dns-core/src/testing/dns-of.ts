// Cluster DNS of some objects for tests: ask, and get what a client would see.

import type { KubeObject } from '@kubewire/kube-model'
import type { CaseServer } from '../cases/case-server.ts'
import type { SeenReply } from '../cases/compare-reply.ts'
import { type DnsCaseQuery, readDnsCase } from '../cases/dns-case.ts'
import { createLibraryBench } from '../cases/library-bench.ts'

/** Answers questions as the cluster's DNS would; no network, no clock. */
export interface DnsUnderTest {
  /**
   * The reply to `NAME TYPE`, or undefined when there is none.
   *
   * @throws Error when the Corefile or the question cannot be read
   */
  ask(question: string, more?: Pick<DnsCaseQuery, 'transport' | 'edns' | 'client'>): Promise<SeenReply | undefined>
}

/**
 * DNS over objects, with the Corefile of a cluster (`errors`, and `kubernetes` for cluster.local) unless another is given.
 *
 * @example
 * const reply = await dnsOf([service('shop/tea', { clusterIP: '10.96.4.4' })]).ask('tea.shop.svc.cluster.local. A')
 */
export function dnsOf(
  objects: readonly KubeObject[],
  options: { readonly corefile?: string; readonly files?: { readonly [name: string]: string } } = {},
): DnsUnderTest {
  let server: Promise<CaseServer> | undefined
  return {
    async ask(question, more = {}) {
      server ??= createLibraryBench().start(readDnsCase({ cluster: objects, ...options }))
      return (await server).ask({ q: question, ...more, expect: {} })
    },
  }
}
