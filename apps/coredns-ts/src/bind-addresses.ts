// Where a listener listens.

import { networkInterfaces } from 'node:os'
import type { BindConfig, Listener } from '@kubewire/dns-core'

/** Addresses of the bind plugin, interfaces resolved; one empty text when there is none. */
export function bindAddresses({ blocks }: Listener): readonly string[] {
  const plugins = blocks.flatMap(({ plan }) => plan.plugins)
  const bind = plugins.find(({ definition }) => definition.name === 'bind')?.config as BindConfig | undefined
  if (bind === undefined || bind.addresses.length === 0) return ['']
  const except = bind.except.flatMap(addressesOf)
  return [...new Set(bind.addresses.flatMap(addressesOf))].filter((address) => !except.includes(address))
}

function addressesOf(nameOrAddress: string): readonly string[] {
  const device = networkInterfaces()[nameOrAddress]
  if (device === undefined) return [nameOrAddress]
  return device.map(({ address, scopeid, family }) =>
    family === 'IPv6' && scopeid !== undefined && scopeid !== 0 ? `${address}%${nameOrAddress}` : address,
  )
}
