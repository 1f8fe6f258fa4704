// The three daemons of the demo: where their bundles are and which flags they get. What a kubelet would mount from
// ConfigMaps is written to files and kept up to date.

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomic } from '@kubewire/daemon-kit'
import { type Cluster, createInformer } from '@kubewire/informer'
import { ConfigMaps } from '@kubewire/informer/resources'
import { type DaemonOptions, type DaemonProcess, startDaemon } from './daemon-process.ts'
import { DemoError } from './netns.ts'
import { type DemoPlan, demoNetwork } from './plan.ts'

/** The daemons, started. */
export interface DemoDaemons {
  readonly processes: readonly DaemonProcess[]
  close(): Promise<void>
}

/** Starts all three at once and waits until each is ready. */
export async function startDaemons(
  plan: DemoPlan,
  cluster: Cluster,
  kubeconfig: string,
  signal: AbortSignal,
): Promise<DemoDaemons> {
  const corefile = await mountCorefile(cluster, join(plan.stateFolder, 'Corefile'))
  const started = await Promise.allSettled(
    [dnsDaemon(plan, kubeconfig), proxyDaemon(plan, kubeconfig), ingressDaemon(plan, kubeconfig)].map((daemon) =>
      startDaemon({ ...daemon, signal }),
    ),
  )
  const processes = started.filter((result) => result.status === 'fulfilled').map((result) => result.value)
  const close = async (): Promise<void> => {
    await Promise.all(processes.map((daemon) => daemon.close()))
    await corefile.close()
  }
  const failure = started.find((result) => result.status === 'rejected')
  if (failure === undefined) return { processes, close }
  await close()
  throw failure.reason
}

function dnsDaemon(plan: DemoPlan, kubeconfig: string): DaemonOptions {
  return {
    name: 'coredns-ts',
    path: bundlePath('coredns-ts'),
    namespace: plan.namespaces.pods,
    args: ['-conf', join(plan.stateFolder, 'Corefile')],
    env: { KUBECONFIG: kubeconfig },
    readyUrl: `http://${demoNetwork.dnsPod}:8181/ready`,
    logPath: join(plan.stateFolder, 'coredns-ts.log'),
  }
}

function proxyDaemon(plan: DemoPlan, kubeconfig: string): DaemonOptions {
  return {
    name: 'kube-proxy-ts',
    path: bundlePath('kube-proxy-ts'),
    namespace: plan.namespaces.node,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--hostname-override=${demoNetwork.nodeName}`,
      '--proxy-mode=iptables',
      `--cluster-cidr=${demoNetwork.podNetworks.join(',')}`,
      // Changes show within a second; the sizes of the kernel's tables are the machine's business.
      '--iptables-min-sync-period=100ms',
      '--conntrack-max-per-core=0',
      '--conntrack-tcp-timeout-established=0s',
      '--conntrack-tcp-timeout-close-wait=0s',
    ],
    readyUrl: 'http://127.0.0.1:10256/healthz',
    logPath: join(plan.stateFolder, 'kube-proxy-ts.log'),
  }
}

function ingressDaemon(plan: DemoPlan, kubeconfig: string): DaemonOptions {
  return {
    name: 'ingress-ts',
    path: bundlePath('ingress-ts'),
    namespace: plan.namespaces.pods,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--configmap=ingress-nginx/ingress-nginx-controller',
      '--publish-service=ingress-nginx/ingress-nginx-controller',
      '--ingress-class=nginx',
      // On this one node the DNS pod's readiness answers on the usual 8181, which the check at the start would find taken.
      '--default-server-port=18181',
      // Changes show within a second; the original waits three between two syncs.
      '--sync-rate-limit=5',
      // Nobody waits for connections to end when the demo goes.
      '--post-shutdown-grace-period=0',
      `--run-directory=${join(plan.stateFolder, 'ingress-ts')}`,
    ],
    env: { POD_NAME: 'ingress-nginx-controller-0', POD_NAMESPACE: 'ingress-nginx' },
    readyUrl: 'http://127.0.0.1:10254/healthz',
    logPath: join(plan.stateFolder, 'ingress-ts.log'),
  }
}

/** The bundle of a daemon: in a clone `apps/NAME/dist/main.js`, in the installed package `daemons/NAME/main.js`. */
export function bundlePath(name: string): string {
  const here = dirname(realpathSync(process.argv[1] ?? ''))
  const inClone = join(here, '..', '..', name, 'dist', 'main.js')
  const installed = join(here, '..', 'daemons', name, 'main.js')
  const path = [inClone, installed].find((candidate) => existsSync(candidate))
  if (path === undefined) throw new DemoError(`expected the daemon at ${inClone}; build it with: node tools/bundle.mjs`)
  return path
}

async function mountCorefile(cluster: Cluster, path: string): Promise<{ close(): Promise<void> }> {
  const maps = createInformer(cluster.source(ConfigMaps, { namespace: 'kube-system' })).start()
  await maps.synced()
  const write = async (): Promise<void> => {
    const text = maps.store.get('coredns', 'kube-system')?.data?.['Corefile']
    if (text === undefined) throw new DemoError('expected ConfigMap kube-system/coredns with a key Corefile')
    await writeAtomic(path, text)
  }
  await write()
  const subscription = maps.changes$.subscribe(() => void write().catch(() => {}))
  return {
    close: async () => {
      subscription.unsubscribe()
      await maps.close()
    },
  }
}
