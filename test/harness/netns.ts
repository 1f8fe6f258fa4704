// Network namespaces for tests: made, joined by veth pairs, given addresses, and removed again.
// Nothing is ever configured in the namespace this process lives in. Names carry the process id, so that what a dead
// run left behind is recognised and removed by the next one.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  mustRun,
  type ProgramOptions,
  type ProgramResult,
  type RunningProgram,
  runProgram,
  startProgram,
} from './process.ts'

/** One network namespace. */
export interface Netns {
  readonly name: string
  /** The same program, started inside; for whoever starts processes in their own way. */
  inside(options: ProgramOptions): ProgramOptions
  /** Runs a program inside to its end; a bad exit status is a result. */
  run(program: string, args?: readonly string[], more?: RunMore): Promise<ProgramResult>
  /** Runs a program inside and gives its stdout; a bad exit status throws. */
  mustRun(program: string, args?: readonly string[], more?: RunMore): Promise<string>
  /** Starts a program inside that stays. `close` ends it. */
  start(options: ProgramOptions): RunningProgram
  /** Adds addresses to a device (`lo`); one without a prefix length becomes /32 or /128. */
  addAddresses(addresses: readonly string[], device?: string): Promise<void>
  removeAddresses(addresses: readonly string[], device?: string): Promise<void>
  /** `ip route add WORDS`: `addRoute('default', 'via', '192.0.2.1')`. */
  addRoute(...words: readonly string[]): Promise<void>
  /** `net.ipv4.ip_forward`, … */
  setSysctl(name: string, value: string | number): Promise<void>
  /** Ends everything that runs inside and removes the namespace. */
  close(): Promise<void>
}

/** Limits and input of one run. */
export interface RunMore {
  readonly input?: string
  readonly timeoutMs?: number
  readonly env?: Readonly<Record<string, string>>
}

/** One end of a veth pair. */
export interface LinkEnd {
  readonly netns: Netns
  readonly device: string
  /** With prefix length: `192.0.2.1/24`. */
  readonly addresses?: readonly string[]
}

const namePrefix = 'kwtest'
let made = 0
const open = new Set<string>()

process.on('exit', () => {
  for (const name of open) removeNow(name)
})

/** Why namespaces cannot be made here, as a sentence to print, or undefined when they can. */
export function whyNoNetns(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  if (spawnSync('ip', ['-V']).error !== undefined) return 'the program ip is missing (apt-get install iproute2)'
  const name = `${namePrefix}-${process.pid}-probe`
  const probe = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  spawnSync('ip', ['netns', 'del', name])
  return probe.status === 0 ? undefined : `network namespaces cannot be made here: ${probe.stderr.trim()}`
}

/**
 * Makes a namespace with `lo` up and IPv6 duplicate detection off.
 *
 * @param label - shown in its name, a few letters
 * @param etc - files that programs started inside see in /etc, for example `{ 'resolv.conf': 'nameserver 192.0.2.53\n' }`
 */
export async function createNetns(label: string, etc: Readonly<Record<string, string>> = {}): Promise<Netns> {
  if (made === 0) removeLeftovers()
  made += 1
  const name = `${namePrefix}-${process.pid}-${made}-${label}`
  open.add(name)
  for (const [file, text] of Object.entries(etc)) {
    mkdirSync(`/etc/netns/${name}`, { recursive: true })
    writeFileSync(`/etc/netns/${name}/${file}`, text)
  }
  await mustRun({ program: 'ip', args: ['netns', 'add', name] })
  const netns = netnsOf(name)
  await netns.mustRun('sh', [
    '-c',
    'cd /proc/sys/net/ipv6/conf 2>/dev/null && for i in all default lo; do echo 0 > $i/accept_dad; done; ip link set lo up',
  ])
  return netns
}

/** Joins two namespaces by a veth pair, sets the addresses and brings both ends up. */
export async function connectNetns(a: LinkEnd, b: LinkEnd): Promise<void> {
  const args = ['link', 'add', a.device, 'netns', a.netns.name, 'type', 'veth', 'peer', 'name', b.device]
  await mustRun({ program: 'ip', args: [...args, 'netns', b.netns.name] })
  for (const end of [a, b]) {
    await end.netns.addAddresses(end.addresses ?? [], end.device)
    await mustRun({ program: 'ip', args: ['-n', end.netns.name, 'link', 'set', end.device, 'up'] })
  }
}

/** A handle on a namespace that exists. */
function netnsOf(name: string): Netns {
  const inside = (options: ProgramOptions): ProgramOptions => ({
    ...options,
    program: 'ip',
    args: ['netns', 'exec', name, options.program, ...(options.args ?? [])],
  })
  const changeAddresses = async (verb: 'add' | 'del', addresses: readonly string[], device: string): Promise<void> => {
    const input = addresses.map(
      (address) => `addr ${verb} ${withPrefix(address)} dev ${device}${noDad(verb, address)}\n`,
    )
    if (input.length > 0) await mustRun({ program: 'ip', args: ['-n', name, '-batch', '-'], input: input.join('') })
  }
  return {
    name,
    inside,
    run: (program, args = [], more = {}) => runProgram({ ...inside({ program, args }), ...more }),
    mustRun: (program, args = [], more = {}) => mustRun({ ...inside({ program, args }), ...more }),
    start: (options) => startProgram(inside(options)),
    addAddresses: (addresses, device = 'lo') => changeAddresses('add', addresses, device),
    removeAddresses: (addresses, device = 'lo') => changeAddresses('del', addresses, device),
    async addRoute(...words) {
      const family = words.some((word) => word.includes(':')) ? '-6' : '-4'
      await mustRun({ program: 'ip', args: ['-n', name, family, 'route', 'add', ...words] })
    },
    async setSysctl(key, value) {
      const path = `/proc/sys/${key.replaceAll('.', '/')}`
      await mustRun(inside({ program: 'sh', args: ['-c', `echo "$1" > "$2"`, 'sh', String(value), path] }))
    },
    async close() {
      open.delete(name)
      removeNow(name)
    },
  }
}

/** Ends the processes inside and removes the namespace, at once; also works while this process exits. */
function removeNow(name: string): void {
  const pids = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).stdout ?? ''
  for (const pid of pids.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // ended meanwhile
    }
  }
  spawnSync('ip', ['netns', 'del', name])
  rmSync(`/etc/netns/${name}`, { recursive: true, force: true })
}

/** Removes the namespaces of test runs whose process is gone. */
function removeLeftovers(): void {
  if (!existsSync('/run/netns')) return
  for (const name of readdirSync('/run/netns')) {
    const pid = name.match(new RegExp(`^${namePrefix}-(\\d+)-`))?.[1]
    if (pid !== undefined && !existsSync(join('/proc', pid))) removeNow(name)
  }
}

function withPrefix(address: string): string {
  if (address.includes('/')) return address
  return `${address}/${address.includes(':') ? 128 : 32}`
}

function noDad(verb: 'add' | 'del', address: string): string {
  return verb === 'add' && address.includes(':') ? ' nodad' : ''
}
