// Rules through nftables: one transaction a sync, with what differs from the table that was loaded last. A full sync
// makes the table anew, atomically.

import { createNftTableBuilder, type NftTable, planNftLoad } from '@kubewire/iptables-gen'
import type { Cidr, IpFamily } from '@kubewire/kube-model'
import type { Nft } from './nft.ts'
import type { RuleBackend } from './rule-backend.ts'

/** What the back end works with. */
export interface NftBackendOptions {
  readonly family: IpFamily
  readonly nft: Pick<Nft, 'load'>
  /** Ranges of Service addresses in this family, as they are now. */
  readonly serviceCidrs: () => readonly Cidr[]
}

/** Starts with nothing known about the kernel. */
export function createNftBackend({ nft, serviceCidrs }: NftBackendOptions): RuleBackend {
  const builder = createNftTableBuilder()
  let installed: NftTable | undefined
  return {
    async apply(built, options, isFull) {
      const wanted = builder.build(built.ports, { ...options, serviceCidrs: serviceCidrs() })
      const text = planNftLoad(isFull ? undefined : installed, wanted)
      installed = undefined
      if (text !== '') await nft.load(text)
      installed = wanted
      return {}
    },
  }
}
