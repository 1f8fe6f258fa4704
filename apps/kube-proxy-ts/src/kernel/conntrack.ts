// Tracked UDP flows by the `conntrack` tool: listing and deleting. Which flows go is decided elsewhere.

import { type CommandOptions, type CommandResult, runCommand } from '@kubewire/daemon-kit'
import type { TrackedFlow } from '@kubewire/iptables-gen'
import { type IpFamily, parseIp } from '@kubewire/kube-model'

/** The tool could not be used. */
class ConntrackError extends Error {
  override readonly name = 'ConntrackError'
  readonly code = 'IPT_CONNTRACK'
}

/** UDP flows of a family. */
export interface Conntrack {
  list(family: IpFamily): Promise<readonly TrackedFlow[]>
  /** Deletes flows by their full tuples; one that is gone already is fine. */
  remove(family: IpFamily, flows: readonly TrackedFlow[]): Promise<void>
}

const timeoutMs = 60_000
const dumpAttempts = 5

type Run = (args: readonly string[], options: CommandOptions) => Promise<CommandResult>

const runConntrack: Run = (args, options) => runCommand('conntrack', args, options)

/** The real tool, or what stands for it in tests. */
export function createConntrack(run: Run = runConntrack): Conntrack {
  const runTool = async (args: readonly string[]): Promise<string> => outputOf(args, await run(args, { timeoutMs }))
  /** Whether this version reads commands from a file (`-R`, 1.4.7); unknown before the first try. */
  let knowsFiles: boolean | undefined
  return {
    async list(family) {
      const args = ['-L', '-p', 'udp', '-f', familyWord(family), '-o', 'extended']
      let result = await run(args, { timeoutMs })
      // The table changed while it was read: once more, and in the end what could be read.
      for (let i = 1; i < dumpAttempts && isInterrupted(result); i++) result = await run(args, { timeoutMs })
      return parseConntrack(isInterrupted(result) ? result.stdout : outputOf(args, result))
    },
    async remove(family, flows) {
      if (flows.length === 0) return
      // All by one process: a busy DNS Service has thousands of flows, and each process costs more than its flow.
      if (flows.length > 1 && knowsFiles !== false) {
        const input = flows.map((flow) => `${tupleWords(family, flow).join(' ')}\n`).join('')
        const { exitCode } = await run(['-R', '-'], { input, timeoutMs })
        knowsFiles = exitCode === 0
        if (knowsFiles) return
      }
      for (const flow of flows) await runTool(tupleWords(family, flow))
    },
  }
}

function tupleWords(family: IpFamily, flow: TrackedFlow): string[] {
  return [
    ...['-D', '-p', flow.protocol, '-f', familyWord(family)],
    ...['--orig-src', flow.source, '--orig-dst', flow.destination],
    ...['--sport', String(flow.sourcePort), '--dport', String(flow.destinationPort)],
    ...['--reply-src', flow.replySource, '--reply-port-src', String(flow.replySourcePort)],
  ]
}

/** Reads `conntrack -L -o extended`; the first tuple of a line is the client's, the second the answer's. */
export function parseConntrack(text: string): readonly TrackedFlow[] {
  return text.split('\n').flatMap((line) => {
    const protocol = /^ipv[46]\s+[0-9]+\s+([a-z0-9]+)\s/.exec(line)?.[1]
    const tuples = [...line.matchAll(/src=(\S+) dst=(\S+) sport=([0-9]+) dport=([0-9]+)/g)]
    const [client, answer] = tuples
    if (protocol === undefined || client === undefined || answer === undefined) return []
    return [
      {
        protocol,
        source: canonical(client[1]),
        sourcePort: Number(client[3]),
        destination: canonical(client[2]),
        destinationPort: Number(client[4]),
        replySource: canonical(answer[1]),
        replySourcePort: Number(answer[3]),
      },
    ]
  })
}

function canonical(text: string | undefined): string {
  return parseIp(text ?? '')?.text ?? text ?? ''
}

function familyWord(family: IpFamily): string {
  return family === 4 ? 'ipv4' : 'ipv6'
}

function isInterrupted({ exitCode, stderr }: CommandResult): boolean {
  return exitCode !== 0 && stderr.includes('Interrupted system call')
}

function outputOf(args: readonly string[], { exitCode, stdout, stderr }: CommandResult): string {
  // Status 1 with this text: nothing was deleted.
  if (exitCode === 0 || stderr.includes('0 flow entries')) return stdout
  throw new ConntrackError(`conntrack ${args.join(' ')} ended with status ${exitCode}: ${stderr.trim().slice(0, 500)}`)
}
