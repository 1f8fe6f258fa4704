// Address lists of `allow`, `deny` and `geo`: an address, a CIDR, or `all`.

import { type Cidr, cidrOf, contains, familyBits, parseCidr, parseIp } from '@kubewire/kube-model'

/** A CIDR, or an address as the CIDR that holds it alone. */
export function addressRange(text: string): Cidr | undefined {
  const address = parseIp(text)
  return address === undefined ? parseCidr(text) : cidrOf(address, familyBits(address.family))
}

/** Whether the address lies in what `text` names; a text that names nothing holds nothing. */
export function covers(text: string, address: string): boolean {
  if (text === 'all') return true
  const range = addressRange(text)
  const ip = parseIp(address)
  return range !== undefined && ip !== undefined && contains(range, ip)
}
