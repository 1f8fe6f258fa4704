// coredns-ts on a high port of this machine.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoApi } from './api-server.ts'
import { highPortCorefile } from './corefile.ts'
import { type DaemonProcess, startDaemon } from './daemon-process.ts'
import { bundlePath } from './daemons.ts'

/** Starts it with the Corefile of the cluster, moved. */
export async function startHighPortDns(state: string, api: DemoApi, port: number): Promise<DaemonProcess> {
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
