// Service addresses and node ports: which are taken follows from the stored Services, which are free is picked at random.

import { type Cidr, cidrOf, contains, familyBits, ipOf, parseCidr, parseIp } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import type { Storage } from '../storage/storage.ts'
import type { ServicePools } from './write-context.ts'

/** Ranges of a server. */
export interface PoolOptions {
  /** One or two CIDRs, the first family first. */
  readonly serviceCidrs: readonly string[]
  readonly firstPort: number
  readonly lastPort: number
  readonly random: () => number
}

/** Pools that follow the stored Services. Throws on a range that is none. */
export function createServicePools(storage: Storage, options: PoolOptions): ServicePools {
  const ranges = options.serviceCidrs.map((text) => {
    const range = parseCidr(text)
    if (!range) throw new Error(`expected a service range in CIDR form, got ${JSON.stringify(text)}`)
    return cidrOf(range.address, range.bits)
  })
  const addresses = new Map<string, number>()
  const ports = new Map<string, number>()
  const count = (map: Map<string, number>, keys: readonly string[], by: 1 | -1) => {
    for (const key of keys) {
      const next = (map.get(key) ?? 0) + by
      if (next <= 0) map.delete(key)
      else map.set(key, next)
    }
  }
  const account = (service: ApiObject | undefined, by: 1 | -1) => {
    if (!service) return
    count(addresses, addressesOf(service), by)
    count(ports, portsOf(service), by)
  }
  for (const service of storage.collection('services').list()) account(service, 1)
  storage.collection('services').subscribe(({ before, after }) => {
    account(before, -1)
    account(after, 1)
  })
  const rangeOf = (family: string) => ranges.find((range) => familyName(range) === family)
  const portKeys = (port: number) => [`TCP/${port}`, `UDP/${port}`, `SCTP/${port}`]
  return {
    families: ranges.map(familyName),
    firstPort: options.firstPort,
    lastPort: options.lastPort,
    isInRange: (address) => {
      const ip = parseIp(address)
      return ip !== undefined && ranges.some((range) => contains(range, ip))
    },
    isAddressTaken: (address) => addresses.has(address),
    rangeAddress: (family) => rangeOf(family)?.address.text ?? '',
    freeAddress: (family) => {
      const range = rangeOf(family)
      return range && freeAddress(range, options.random, (text) => addresses.has(text))
    },
    isPortTaken: (port, protocol) => ports.has(`${protocol}/${port}`),
    freePort: (exclude) => {
      const size = options.lastPort - options.firstPort + 1
      const start = Math.floor(options.random() * size)
      for (let i = 0; i < size; i++) {
        const port = options.firstPort + ((start + i) % size)
        if (!exclude.has(port) && !portKeys(port).some((key) => ports.has(key))) return port
      }
      return undefined
    },
  }
}

function freeAddress(range: Cidr, random: () => number, isTaken: (text: string) => boolean): string | undefined {
  const hostBits = familyBits(range.family) - range.bits
  const size = hostBits > 30 ? 2 ** 30 : 2 ** hostBits
  // The first and last address of the range are never given out.
  const usable = Math.max(1, size - 2)
  const start = Math.floor(random() * usable)
  for (let i = 0; i < usable; i++) {
    const text = ipOf(range.family, range.first + 1n + BigInt((start + i) % usable)).text
    if (!isTaken(text)) return text
  }
  return undefined
}

function familyName({ family }: Cidr): 'IPv4' | 'IPv6' {
  return family === 4 ? 'IPv4' : 'IPv6'
}

function addressesOf(service: ApiObject): string[] {
  const spec = objectAt(service, 'spec')
  return textsAt(spec, 'clusterIPs').filter((address) => address !== 'None' && address !== '')
}

function portsOf(service: ApiObject): string[] {
  const spec = objectAt(service, 'spec')
  const ports = objectsAt(spec, 'ports').flatMap((port) => {
    const nodePort = numberAt(port, 'nodePort')
    return nodePort ? [`${textAt(port, 'protocol') || 'TCP'}/${nodePort}`] : []
  })
  const health = numberAt(spec, 'healthCheckNodePort')
  return health ? [...ports, `TCP/${health}`] : ports
}
