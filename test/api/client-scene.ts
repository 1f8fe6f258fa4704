// The original clients in one namespace with an API server, ours or theirs: CoreDNS answers from it, kube-proxy writes
// rules from it. What they make of a series of changes can then be compared.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { ask } from '../conformance/api/connection.ts'
import { originalBinary, startRealApiServer } from '../harness/api-server.ts'
import { startDaemon } from '../harness/daemon.ts'
import { startForwarder } from '../harness/forwarder.ts'
import { createNetns, type Netns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

/** A namespace with an API server, CoreDNS and kube-proxy. */
export interface ClientScene {
  /** One request of the administrator; a status that is no success throws. */
  send(method: string, path: string, body?: unknown): Promise<unknown>
  /** Answers of CoreDNS, sorted, as `dig +short` prints them. */
  resolve(name: string, type: string): Promise<readonly string[]>
  /** The nat table of kube-proxy without counters and comments of time, sorted. */
  rules(): Promise<readonly string[]>
  /** What kubectl prints and its status; standard input is `input`, its editor writes "back" for "front". */
  kubectl(args: readonly string[], input?: string): Promise<string>
  /** What the clients logged so far. */
  logs(): string
  close(): Promise<void>
}

interface ApiServer {
  readonly kubeconfig: string
  readonly socketPath: string
  readonly token: string
  close(): Promise<void>
}

/** Starts the scene; `node-1` must be created before kube-proxy does anything, so it is made here. */
export async function openClientScene(api: 'mini' | 'real'): Promise<ClientScene> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-clients-'))
  const netns = await createNetns(`cl-${api}`)
  const server = api === 'mini' ? await startMini(netns, dir) : await startReal(netns)
  const send: ClientScene['send'] = async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const reply = await ask({ socketPath: server.socketPath }, { method, path, query: {}, headers, body: text })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return JSON.parse(reply.text) as unknown
  }
  await send('POST', '/api/v1/nodes', node('node-1'))
  const coredns = await startCoredns(netns, dir, server.kubeconfig)
  const proxy = await startKubeProxy(netns, dir, server.kubeconfig)
  return {
    send,
    resolve: async (name, type) => {
      const out = await netns.mustRun('dig', ['@127.0.0.1', '-p', '1053', '+short', '+time=2', '+tries=2', name, type])
      return out
        .split('\n')
        .filter((line) => line !== '')
        .sort()
    },
    rules: async () => {
      const out = await netns.mustRun('iptables-save', ['-t', 'nat'])
      return out
        .split('\n')
        .filter((line) => /^-A KUBE-(SERVICES|SVC|SEP|EXT|NODEPORTS)/.test(line))
        .sort()
    },
    kubectl: async (args, input = '') => {
      const flags = ['--kubeconfig', server.kubeconfig, '--cache-dir', join(dir, 'cache')]
      const { exitCode, stdout, stderr } = await netns.run(originalBinary('kubectl'), [...flags, ...args], {
        input,
        env: { KUBE_EDITOR: 'sed -i -e s/front/back/' },
      })
      return `${stdout}${stderr}status ${exitCode}\n`
    },
    logs: () => `CoreDNS:\n${coredns.output()}\nkube-proxy:\n${proxy.output()}`,
    close: async () => {
      await Promise.all([coredns.stop('SIGKILL'), proxy.stop('SIGKILL')])
      await server.close()
      await netns.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function node(name: string): KubeObject {
  const status = { addresses: [{ type: 'InternalIP', address: '192.0.2.11' }] }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { podCIDR: '10.244.1.0/24' },
    status,
  } as KubeObject
}

async function startMini(netns: Netns, dir: string): Promise<ApiServer> {
  const kubeconfig = join(dir, 'kubeconfig')
  const args = ['--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig, '--token', 'admin']
  const server = await startDaemon({
    daemon: 'mini-apiserver',
    netns,
    args,
    isReady: ({ output }) => output().includes('serving on'),
  })
  const socketPath = join(dir, 'api.sock')
  const forwarder = await startForwarder(netns, socketPath, '127.0.0.1:6443')
  const close = async (): Promise<void> => {
    await forwarder.close()
    await server.stop()
  }
  return { kubeconfig, socketPath, token: 'admin', close }
}

async function startReal(netns: Netns): Promise<ApiServer> {
  const { kubeconfig, socketPath, close } = await startRealApiServer(netns)
  return { kubeconfig, socketPath, token: 'admin', close }
}

async function startCoredns(netns: Netns, dir: string, kubeconfig: string): Promise<RunningProgram> {
  const corefile = join(dir, 'Corefile')
  writeFileSync(
    corefile,
    `.:1053 {\n  errors\n  ready 127.0.0.1:8181\n  kubernetes cluster.local {\n    kubeconfig ${kubeconfig}\n  }\n}\n`,
  )
  const coredns = netns.start({ program: originalBinary('coredns'), args: ['-conf', corefile] })
  await coredns.waitUntil(
    async () => (await netns.run('curl', ['-fs', 'http://127.0.0.1:8181/ready'])).exitCode === 0,
    30_000,
  )
  return coredns
}

async function startKubeProxy(netns: Netns, dir: string, kubeconfig: string): Promise<RunningProgram> {
  const path = join(dir, 'kube-proxy.yaml')
  const config = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clientConnection: { kubeconfig },
    clusterCIDR: '10.244.0.0/16',
    conntrack: { maxPerCore: 0 },
    iptables: { minSyncPeriod: '0s' },
  }
  writeFileSync(path, JSON.stringify(config))
  const proxy = netns.start({
    program: originalBinary('kube-proxy'),
    args: ['--config', path, '--hostname-override', 'node-1'],
  })
  const url = 'http://127.0.0.1:10256/healthz'
  await proxy.waitUntil(async () => (await netns.run('curl', ['-fs', url])).exitCode === 0, 30_000)
  return proxy
}
