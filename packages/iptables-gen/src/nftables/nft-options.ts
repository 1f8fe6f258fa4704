// What nftables mode wants to know beyond iptables mode.

import type { Cidr } from '@kubewire/kube-model'
import type { ProxyOptions } from '../proxy/options.ts'

/** Options of iptables mode, and the ranges that Service addresses come from. */
export interface NftOptions extends ProxyOptions {
  /** Ranges of this family, from ServiceCIDR objects; empty while none is known. */
  readonly serviceCidrs: readonly Cidr[]
}
