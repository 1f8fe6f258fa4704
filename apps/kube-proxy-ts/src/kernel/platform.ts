// What this machine offers and what is set on it at start: kernel settings, families whose programs work.

import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, release } from 'node:os'
import type { Log } from '@kubewire/daemon-kit'
import type { IpFamily } from '@kubewire/kube-model'
import type { ProxyConfiguration } from '../config/defaults.ts'
import { familyOptions } from '../config/family-options.ts'
import type { NodeIps } from '../config/node-ips.ts'
import { createIptables, type Iptables } from './iptables.ts'
import { createNft, type Nft } from './nft.ts'
import { conntrackSettings, countCpus, readSysctl, wantedHashSize, writeSysctl } from './sysctls.ts'

/** A family whose rules can be written, and by what. */
export type UsableFamily =
  | {
      readonly kind: 'iptables'
      readonly family: IpFamily
      readonly iptables: Iptables
      readonly variant: 'nft' | 'legacy'
      /** iptables-restore may stay and take one text after the other. */
      readonly keepsProgram: boolean
    }
  | {
      readonly kind: 'nftables'
      readonly family: IpFamily
      readonly nft: Nft
      readonly takesRulesInChains: boolean
      readonly deletesChainsAtOnce: boolean
    }

/** `IPv4` or `IPv6`, as metrics and logs call a family. */
export function familyName(family: IpFamily): 'IPv4' | 'IPv6' {
  return family === 4 ? 'IPv4' : 'IPv6'
}

/** Writes the settings of connection tracking; rejects when the kernel refuses one. */
export async function writeSysctls(configuration: ProxyConfiguration, log: Log): Promise<void> {
  for (const [name, value] of Object.entries(conntrackSettings(configuration.conntrack, await cpuCount()))) {
    const entry = `net/netfilter/${name}`
    // The table may be larger already, by the wish of somebody else; it is never made smaller.
    const isLimit = name === 'nf_conntrack_max'
    if (!(isLimit && ((await readSysctl(entry)) ?? 0) >= value)) {
      log.info('Set sysctl', { entry, value })
      await writeSysctl(entry, value)
    }
    if (isLimit) await raiseHashSize(value)
  }
}

// Of the machine, whose table it is: a process may be confined to fewer.
async function cpuCount(): Promise<number> {
  const online = await readFile('/sys/devices/system/cpu/online', 'utf8').catch(() => '')
  return countCpus(online) ?? availableParallelism()
}

/** Makes the kernel spare this process when memory runs out; a refusal is only told. */
export async function setOomScore(value: number, log: Log): Promise<void> {
  await writeFile('/proc/self/oom_score_adj', String(value)).catch((error: unknown) => {
    log.debug('could not set oom_score_adj', { value, err: messageOf(error) })
  })
}

const hashSizeFile = '/sys/module/nf_conntrack/parameters/hashsize'

async function raiseHashSize(maximum: number): Promise<void> {
  const wanted = wantedHashSize(maximum, Number((await readFile(hashSizeFile, 'utf8')).trim()))
  if (wanted !== undefined) await writeFile(hashSizeFile, String(wanted))
}

/** Families that can be served in this mode; rejects when the node's primary one cannot. */
export async function usableFamilies(mode: string, nodeIps: NodeIps, log: Log): Promise<readonly UsableFamily[]> {
  const found = mode === 'nftables' ? await nftablesFamilies() : await iptablesFamilies(log)
  const primary = nodeIps.primaryFamily
  if (!found.some((one) => one.family === primary))
    throw new Error(`no support for ${familyName(primary)}, the node's primary IP family, in mode ${mode}`)
  if (found.length === 1) log.info('kube-proxy running in single-stack mode', { ipFamily: familyName(primary) })
  return found
}

async function iptablesFamilies(log: Log): Promise<readonly UsableFamily[]> {
  const found: UsableFamily[] = []
  const reasons: string[] = []
  for (const family of await kernelFamilies()) {
    const iptables = createIptables(family)
    try {
      const { version, backend } = await iptables.version()
      if (isOlder(version, oldestVersion)) throw new Error(`${version} is too old, ${oldestVersion} or newer is needed`)
      await iptables.assertUsable()
      log.info('Using iptables', { family: familyName(family), version, backend })
      const keepsProgram = backend === 'nft' && !isOlder(version, oldestKept)
      found.push({ kind: 'iptables', family, iptables, variant: backend, keepsProgram })
    } catch (error) {
      reasons.push(messageOf(error))
      log.info('No iptables support for family', { ipFamily: familyName(family), err: messageOf(error) })
    }
  }
  if (found.length === 0) throw new Error(`iptables is not available on this host: ${[...new Set(reasons)].join('; ')}`)
  return found
}

// The first that waits for the lock in iptables-restore.
const oldestVersion = '1.6.2'

// Those before were not tried: what they keep of the tables between two COMMITs is not known.
const oldestKept = '1.8.9'

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(/[.-]/).map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

async function nftablesFamilies(): Promise<readonly UsableFamily[]> {
  const nft = createNft()
  const [major, minor, patch] = await nft.version()
  if (major < 1 || (major === 1 && minor === 0 && patch < 1))
    throw new Error(`nft version must be 1.0.1 or later, found ${major}.${minor}.${patch}`)
  const kernel = release()
  const isUnchecked = (process.env['KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK'] ?? '') !== ''
  if (isOlder(kernel, '5.13') && !isUnchecked) throw new Error(`kernel version must be 5.13 or later, found ${kernel}`)
  const deletesChainsAtOnce = !isOlder(kernel, '6.2')
  const found: UsableFamily[] = []
  for (const family of await kernelFamilies()) {
    const takesRulesInChains = await nft.takesRulesInChains(family)
    found.push({ kind: 'nftables', family, nft, takesRulesInChains, deletesChainsAtOnce })
  }
  return found
}

async function kernelFamilies(): Promise<readonly IpFamily[]> {
  return (await hasIpv6()) ? [4, 6] : [4]
}

async function hasIpv6(): Promise<boolean> {
  const isListed = await readFile('/proc/net/if_inet6', 'utf8').then(
    () => true,
    () => false,
  )
  return isListed && (await readSysctl('net/ipv6/conf/all/disable_ipv6')) !== 1
}

/** Lets the kernel route 127.0.0.0/8 if node ports are to answer there. */
export async function routeLocalnet(configuration: ProxyConfiguration, nodeIps: NodeIps): Promise<void> {
  const facts = {
    nodeName: '',
    node: undefined,
    nodeIps,
    interfaceAddresses: [],
    isTcpLiberal: false,
    hasNfacct: false,
  }
  if (familyOptions(configuration, facts, 4).localhostNodePorts)
    await writeSysctl('net/ipv4/conf/all/route_localnet', 1)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
