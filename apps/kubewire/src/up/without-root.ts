// The demo without root: DNS really answers, on a high port of this machine; packets and requests are simulated with the
// same rules and configuration. Says first what is missing for the real thing.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@kubewire/daemon-kit'
import { snapshotOf } from '@kubewire/kube-model'
import type { ExitCode } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { readInput } from '../read-input.ts'
import { type DemoApi, startApi } from './api-server.ts'
import type { Check } from './checks/check.ts'
import { dnsChecks } from './checks/dns.ts'
import { simulatedChecks } from './checks/simulated.ts'
import { highPortCorefile } from './corefile.ts'
import { type DaemonProcess, startDaemon } from './daemon-process.ts'
import { bundlePath } from './daemons.ts'
import { waitForFirstAnswer } from './first-answer.ts'
import { demoNetwork, planDemo } from './plan.ts'
import { runChecks } from './run-checks.ts'
import { type DemoWorld, demoWorld } from './world.ts'

// Fixed, so that the commands of the tour can be typed again.
const port = 10_053

/** Runs what can run here; with `isOnce` it ends after the checks, else it stays up until a signal. */
export async function runWithoutRoot(
  folder: string,
  reasons: readonly string[],
  output: Output,
  isOnce: boolean,
): Promise<ExitCode> {
  for (const reason of reasons) output.note(`${reason}\n`)
  output.note('without it: DNS on a high port; rules and requests are simulated\n')
  const state = await mkdtemp(join(tmpdir(), 'kubewire-'))
  const manifests = isOnce ? join(state, 'manifests') : folder
  if (isOnce) await cp(folder, manifests, { recursive: true })
  const input = await readInput({ filename: [folder], recursive: false }, output)
  const api = await startApi(state, manifests, (text) => output.note(`${text}\n`))
  let dns: DaemonProcess | undefined
  try {
    // The server's objects have the defaults and the Secret that the files lack.
    const secret = await api.cluster.request<object>({
      method: 'GET',
      path: '/api/v1/namespaces/shop/secrets/shop-tls',
    })
    const snapshot = snapshotOf([...input.objects, { kind: 'Secret', apiVersion: 'v1', ...secret }])
    dns = await startDns(state, api)
    const world = highPortWorld(demoWorld(planDemo('kubewire'), api.cluster, manifests))
    await waitForFirstAnswer(world)
    const stopped = dns.crashed
    const list: readonly Check<unknown>[] = [
      ...dnsChecks.map((check) => bind(check, world)),
      ...simulatedChecks.map((check) => bind(check, snapshot)),
    ]
    const code = await runChecks(list, undefined, output, stopped)
    if (isOnce) return code
    output.data(`\nDNS answers until Ctrl-C: dig @127.0.0.1 -p ${port} tea.shop.svc.cluster.local\n`)
    await Promise.race([stopped, new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))])
    return code
  } finally {
    await dns?.close()
    await api.close()
    await rm(state, { recursive: true, force: true })
  }
}

/** Ties a check to what it asks, so that checks of different worlds make one list. */
function bind<World>(check: Check<World>, world: World): Check<unknown> {
  const { name, expected } = check
  return {
    name,
    expected,
    asked: () =>
      check
        .asked(world)
        .replace(/^\[client\]/, '[here]')
        .replaceAll(...highPort),
    ask: () => check.ask(world),
  }
}

const highPort = [`@${demoNetwork.dnsService}`, `@127.0.0.1 -p ${port}`] as const

/** Programs run here instead of inside a namespace, and ask the high port. */
function highPortWorld(world: DemoWorld): DemoWorld {
  return {
    ...world,
    run: (_namespace, [program, ...args]) => {
      const words = args.flatMap((word) => (word === highPort[0] ? ['@127.0.0.1', '-p', String(port)] : [word]))
      return runCommand(program, words, { timeoutMs: 20_000 })
    },
  }
}

async function startDns(state: string, api: DemoApi): Promise<DaemonProcess> {
  const map = await api.cluster.request<{ data?: { Corefile?: string } }>({
    method: 'GET',
    path: '/api/v1/namespaces/kube-system/configmaps/coredns',
  })
  const corefile = join(state, 'Corefile')
  await writeFile(corefile, highPortCorefile(map.data?.Corefile ?? '', port))
  const kubeconfig = join(state, 'kubeconfig-dns')
  await writeFile(kubeconfig, await readFile(api.kubeconfig, 'utf8'), { mode: 0o600 })
  return startDaemon({
    name: 'coredns-ts',
    path: bundlePath('coredns-ts'),
    args: ['-conf', corefile],
    env: { KUBECONFIG: kubeconfig },
    readyUrl: `http://127.0.0.1:${port + 2}/ready`,
    logPath: join(state, 'coredns-ts.log'),
  })
}
