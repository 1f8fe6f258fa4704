// Network namespaces through `ip`. Nothing is ever configured in the namespace this process lives in.

import { existsSync } from 'node:fs'
import { runCommand } from '@kubewire/daemon-kit'

/** Whether this kernel knows IPv6 at all; without it everything of that family is left out. */
export const hasIpv6: boolean = existsSync('/proc/sys/net/ipv6')

/** A program refused to do what the demo needs. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** Runs a program to its end and gives its output; an exit status other than 0 throws. */
export async function mustRun(program: string, args: readonly string[], input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(program, args, { input, timeoutMs: 20_000 })
  if (exitCode === 0) return stdout
  throw new DemoError(`${program} ${args.join(' ')}: ${stderr.trim() || stdout.trim() || `exit status ${exitCode}`}`)
}

/** The words before a program's that start it inside a namespace. */
export function inside(namespace: string, ...command: readonly string[]): readonly [string, ...string[]] {
  return ['ip', 'netns', 'exec', namespace, ...command]
}

/** Makes a namespace with `lo` up and without IPv6 duplicate detection, which would delay every address. */
export async function createNamespace(namespace: string): Promise<void> {
  await mustRun('ip', ['netns', 'add', namespace])
  const script = `ip link set lo up
for c in all default lo; do echo 0 > /proc/sys/net/ipv6/conf/$c/accept_dad 2>/dev/null; done; true`
  await mustRun(...split(inside(namespace, 'sh', '-c', script)))
}

/** Runs lines of `ip -batch` inside a namespace. */
export async function ipBatch(namespace: string, lines: readonly string[]): Promise<void> {
  const usable = lines.filter((line) => hasIpv6 || !line.includes(':'))
  if (usable.length > 0) await mustRun('ip', ['-n', namespace, '-batch', '-'], `${usable.join('\n')}\n`)
}

/** Lines of `ip -batch` that add (or remove) addresses; one without a prefix length is a single address. */
export function addressLines(verb: 'replace' | 'del', addresses: readonly string[], device: string): string[] {
  return addresses.map((address) => {
    const isIpv6 = address.includes(':')
    const full = address.includes('/') ? address : `${address}/${isIpv6 ? 128 : 32}`
    return `addr ${verb} ${full} dev ${device}${isIpv6 && verb === 'replace' ? ' nodad' : ''}`
  })
}

/** Ends what runs inside a namespace and removes it; nothing happens when it does not exist. */
export async function removeNamespace(namespace: string): Promise<void> {
  const { stdout, exitCode } = await runCommand('ip', ['netns', 'pids', namespace])
  if (exitCode !== 0) return
  for (const pid of stdout.split('\n').filter((line) => line !== '')) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
  await runCommand('ip', ['netns', 'del', namespace])
}

/** `[program, ...args]` as the two arguments that running takes. */
export function split(command: readonly [string, ...string[]]): [string, readonly string[]] {
  const [program, ...args] = command
  return [program, args]
}
