// Pod names → entries.

import type { Name } from '../name.ts'
import { joinName } from '../name.ts'
import { type Found, missing } from './entries.ts'
import { recordFamily } from './go-ip.ts'
import type { ZoneIndex } from './zone-index.ts'
import type { ZoneOptions } from './zone-options.ts'

/** The entry of `POD.NS.pod.ZONE`; the namespace was checked before. */
export function podEntries(
  index: ZoneIndex,
  options: ZoneOptions,
  request: { readonly namespace: string; readonly pod: string },
  askedZone: Name,
): Found {
  const address = podAddress(request.pod)
  const target = joinName(`${request.pod}.${request.namespace}.pod`, askedZone)
  const family = recordFamily(address)
  // COMPAT: SRV of a pod name has port 0 and the name itself as target.
  const found: Found = { kind: 'entries', entries: [{ host: address, family, port: 0, target }] }
  switch (options.podMode) {
    case 'disabled':
      return missing
    case 'insecure':
      return family === 'name' ? missing : found
    case 'verified':
      for (const pod of index.podsByAddress(address)) if (pod.namespace === request.namespace) return found
      return missing
  }
}

/** Three single dashes make an IPv4 address, anything else is read as IPv6. */
function podAddress(label: string): string {
  const isIpv4 = (label.match(/-/g) ?? []).length === 3 && !label.includes('--')
  return label.replaceAll('-', isIpv4 ? '.' : ':')
}
