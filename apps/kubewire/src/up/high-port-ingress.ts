// ingress-ts with a real nginx on high ports of this machine, and endpoints on more ports behind it. It has an API server
// of its own, in which the pods' addresses are the machine's.

import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EndpointSlice, KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { startChild } from './child.ts'
import { type DaemonProcess, startDaemon } from './daemon-process.ts'
import { bundlePath } from './daemons.ts'
import type { HighPorts } from './high-port.ts'
import { highPortSlices, ownAddress } from './high-port-slices.ts'
import { DemoError } from './netns.ts'

/** The running controller with what it needs. */
export interface HighPortIngress {
  readonly daemon: DaemonProcess
  close(): Promise<void>
}

/** Why nginx cannot be run here, or `undefined`. */
export function whyNoNginx(): string | undefined {
  if (ownAddress() === undefined) return 'this machine has no address of its own for endpoints'
  const found = spawnSync('nginx', ['-v'], { stdio: 'ignore' })
  if (found.error === undefined) return undefined
  const packages = 'nginx libnginx-mod-http-lua libnginx-mod-stream libnginx-mod-http-headers-more-filter lua-cjson'
  return `nginx is missing: apt-get update && apt-get install -y --no-install-recommends ${packages}`
}

/** Starts everything; `objects` are those of the cluster, `secret` among them. */
export async function startHighPortIngress(
  state: string,
  objects: readonly KubeObject[],
  ports: HighPorts,
): Promise<HighPortIngress> {
  const slices = objects.filter((object): object is EndpointSlice => object.kind === 'EndpointSlice')
  const moved = highPortSlices(slices, ownAddress() ?? '', ports.endpoints)
  const server = await createMiniApiServer({ runsEndpointSlices: false })
  const echo = startChild(undefined, ['__echo'])
  const close = async (): Promise<void> => {
    await echo.close()
    await server.close()
  }
  try {
    server.apply(...objects.filter(({ kind }) => kind !== 'EndpointSlice'), ...moved.slices)
    const answer = await echo.ask(JSON.stringify(moved.endpoints))
    if (answer !== 'ok') throw new DemoError(answer)
    const kubeconfig = join(state, 'kubeconfig-ingress')
    await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    const daemon = await startDaemon({
      name: 'ingress-ts',
      path: bundlePath('ingress-ts'),
      args: [
        `--kubeconfig=${kubeconfig}`,
        '--configmap=ingress-nginx/ingress-nginx-controller',
        '--update-status=false',
        '--disable-leader-election',
        '--post-shutdown-grace-period=0',
        `--http-port=${ports.http}`,
        `--https-port=${ports.https}`,
        `--healthz-port=${ports.ingressHealth}`,
        `--default-server-port=${ports.ingressDefault}`,
        `--run-directory=${join(state, 'ingress-ts')}`,
        // Only root can run workers as somebody else.
        ...(process.getuid?.() === 0 ? [] : ['--nginx-user=']),
      ],
      env: { POD_NAME: 'ingress-nginx-controller-0', POD_NAMESPACE: 'ingress-nginx' },
      readyUrl: `http://127.0.0.1:${ports.ingressHealth}/healthz`,
      logPath: join(state, 'ingress-ts.log'),
    })
    return {
      daemon,
      close: async () => {
        await daemon.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
