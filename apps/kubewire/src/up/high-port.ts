// The demo on loopback and high ports: which ports, and how commands meant for the namespaces are asked there.

import { createServer } from 'node:net'
import { runCommand } from '@kubewire/daemon-kit'
import { demoNetwork } from './plan.ts'
import type { DemoWorld } from './world.ts'

/** Ports of one run, counted from `base`. */
export interface HighPorts {
  /** DNS; health, ready and metrics take the three after it. */
  readonly dns: number
  readonly http: number
  readonly https: number
  readonly ingressHealth: number
  readonly ingressDefault: number
  /** The first of sixty for endpoints. */
  readonly endpoints: number
}

/** Eighty free ports in a row: 10053 and up, or the next place where they are free. */
export async function findHighPorts(): Promise<HighPorts> {
  for (let base = 10_053; base < 20_000; base += 100) {
    const ports = Array.from({ length: 80 }, (_, i) => base + i)
    const areFree = await Promise.all(ports.map(isFree))
    if (!areFree.includes(false)) {
      return {
        dns: base,
        http: base + 4,
        https: base + 5,
        ingressHealth: base + 6,
        ingressDefault: base + 7,
        endpoints: base + 20,
      }
    }
  }
  throw new Error('no eighty free ports in a row between 10053 and 20000')
}

/** A world whose programs run here and find DNS and ingress at these ports. */
export function highPortWorld(world: DemoWorld, ports: HighPorts): DemoWorld {
  return {
    ...world,
    run: (_namespace, [program, ...args]) => runCommand(program, highPortWords(args, ports), { timeoutMs: 20_000 }),
  }
}

/** The words of `dig` or `curl` for these ports. */
export function highPortWords(words: readonly string[], ports: HighPorts): string[] {
  return words.flatMap((word, i) => {
    if (word === `@${demoNetwork.dnsService}`) return ['@127.0.0.1', '-p', String(ports.dns)]
    if (word === '--resolve') return ['--connect-to']
    if (words[i - 1] !== '--resolve') return [word]
    const [host, port] = word.split(':')
    return [`${host}:${port}:127.0.0.1:${port === '443' ? ports.https : ports.http}`]
  })
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ port, host: '0.0.0.0' }, () => server.close(() => resolve(true)))
  })
}
