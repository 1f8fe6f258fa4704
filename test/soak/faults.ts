// What goes wrong on purpose, in turn: each with the kinds of questions that it may fail.

import { setTimeout as delay } from 'node:timers/promises'
import type { ProbeKind } from './probe.ts'
import { killAll, type SoakWorld } from './soak-world.ts'

/** One kind of fault. */
export interface Fault {
  readonly name: string
  /** Questions that cannot all be answered meanwhile. */
  readonly affects: readonly ProbeKind[]
  /** A daemon starts anew: its memory and handles are not compared with those before. */
  readonly restartsDaemon?: boolean
  /** Does it, and settles when the world should be whole again. */
  readonly run: (world: SoakWorld) => Promise<void>
}

/** The faults in the order in which they are done. */
export const faults: readonly Fault[] = [
  {
    name: 'coredns-ts killed',
    affects: ['dns'],
    restartsDaemon: true,
    run: (world) => world.killAndRestart('coredns-ts'),
  },
  {
    name: 'kube-proxy-ts killed',
    affects: [],
    restartsDaemon: true,
    run: (world) => world.killAndRestart('kube-proxy-ts'),
  },
  {
    name: 'ingress-ts killed',
    affects: ['http'],
    restartsDaemon: true,
    run: (world) => world.killAndRestart('ingress-ts'),
  },
  {
    name: 'API server gone for 2 s',
    affects: [],
    run: async ({ api }) => {
      api.faults.inject({ kind: 'restart', downMs: 2000 })
      await delay(2000)
    },
  },
  {
    name: 'one nginx worker killed',
    affects: ['http'],
    run: async ({ node }) => {
      const { stdout } = await node.run('sh', [
        '-c',
        'for p in $(ip netns pids "$0"); do grep -qs "nginx: worker" /proc/$p/cmdline && echo $p; done; true',
        node.name,
      ])
      const [pid] = stdout.split('\n')
      if (pid !== undefined && pid !== '') await node.run('kill', ['-KILL', pid])
      await delay(500)
    },
  },
  {
    name: 'watches dropped',
    affects: [],
    run: async ({ api }) => {
      api.dropConnections()
      await delay(200)
    },
  },
  {
    name: 'nat table flushed',
    affects: ['dns', 'tcp', 'udp'],
    run: async ({ node }) => {
      // A sync between the two gives chains rules again, and a chain that is jumped to cannot be removed.
      for (let tries = 0; ; tries++) {
        await node.mustRun('iptables', ['-t', 'nat', '-F'])
        const removed = await node.run('iptables', ['-t', 'nat', '-X'])
        if (removed.exitCode === 0) break
        if (tries === 9) throw new Error(`the nat table could not be flushed: ${removed.stderr}`)
      }
      // The canary is looked for once in a sync period, 5 s here.
      await waitForRules(node)
    },
  },
  {
    name: 'nginx killed as a whole',
    affects: ['http'],
    run: async ({ node }) => {
      await killAll(node, 'nginx')
      await waitForNginx(node)
    },
  },
  {
    name: 'API history forgotten',
    affects: [],
    run: async ({ api }) => {
      api.compact()
      api.dropConnections()
      await delay(200)
    },
  },
]

async function waitForRules(node: SoakWorld['node']): Promise<void> {
  const endMs = Date.now() + 30_000
  while (Date.now() < endMs) {
    const { stdout } = await node.run('iptables-save', ['-t', 'nat'])
    if (stdout.includes('10.96.0.10') && stdout.includes('10.96.1.1/32')) return
    await delay(100)
  }
}

async function waitForNginx(node: SoakWorld['node']): Promise<void> {
  const endMs = Date.now() + 30_000
  while (Date.now() < endMs) {
    const answer = await node.run('curl', [
      '-s',
      '--max-time',
      '1',
      '-H',
      'Host: tea-0.example.org',
      'http://127.0.0.1/',
    ])
    if (answer.exitCode === 0 && answer.stdout.includes('"name"')) return
    await delay(50)
  }
}
