// Secrets under real RBAC: the controller may read the ones that Ingresses name and no others, and where it may list, only
// metadata is listed and only those are read that something names. A real kube-apiserver decides and counts.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originalBinary, type RealApiServer, startRealApiServer } from '../harness/api-server.ts'
import { startDaemon } from '../harness/daemon.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const missing = whyNoNetns() ?? whyNoOriginal()
if (missing !== undefined) console.log(`secrets.kernel.ts is skipped: ${missing}`)

function whyNoOriginal(): string | undefined {
  try {
    originalBinary('kube-apiserver')
    originalBinary('server')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const networking = 'networking.k8s.io'
const readable = [
  { apiGroups: [networking], resources: ['ingresses', 'ingressclasses'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['services', 'configmaps'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
]
// The rule of deploy/ingress-ts/rbac-named-secrets.yaml.
const named = { apiGroups: [''], resources: ['secrets'], resourceNames: ['tea-tls'], verbs: ['get', 'list', 'watch'] }

describe.skipIf(missing !== undefined)('a controller that may read named Secrets only', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-secrets-'))
  let netns: Netns
  let api: RealApiServer
  let daemon: RunningProgram

  const create = async (path: string, object: object): Promise<void> => {
    const { status, body } = await api.request('POST', path, { body: object })
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  }
  const bind = (kind: 'ClusterRole' | 'Role') => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: `${kind}Binding`,
    metadata: { name: 'controller' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'controller' },
    subjects: [{ kind: 'User', name: 'plain', apiGroup: 'rbac.authorization.k8s.io' }],
  })
  const role = (kind: 'ClusterRole' | 'Role', rules: readonly object[]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    ...{ kind, metadata: { name: 'controller' }, rules },
  })
  const pair = (commonName: string): object => {
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const [cert, key] = [join(dir, 'cert'), join(dir, 'key')]
    const names = ['-addext', 'subjectAltName=DNS:tea.example.org', '-keyout', key, '-out', cert]
    execFileSync('openssl', [...words, '-subj', `/CN=${commonName}`, ...names], { stdio: 'ignore' })
    const text = (file: string): string => readFileSync(file).toString('base64')
    return {
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls' },
      metadata: { name: 'tea-tls', namespace: 'shop' },
      data: { 'tls.crt': text(cert), 'tls.key': text(key) },
    }
  }
  const served = async (): Promise<string> => {
    const words = ['s_client', '-connect', '127.0.0.1:443', '-servername', 'tea.example.org']
    const { stdout } = await netns.run('openssl', words, { input: '' })
    return /subject=.*CN ?= ?([^\n,]*)/.exec(stdout)?.[1] ?? ''
  }

  beforeAll(async () => {
    netns = await createNetns('secrets')
    api = await startRealApiServer(netns)
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
    await create(`${rbac}/clusterroles`, role('ClusterRole', readable))
    await create(`${rbac}/clusterrolebindings`, bind('ClusterRole'))
    await create(`${rbac}/namespaces/shop/roles`, role('Role', [named]))
    await create(`${rbac}/namespaces/shop/rolebindings`, bind('Role'))
    await create('/api/v1/namespaces/shop/secrets', pair('first'))
    const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other' }, data: { key: 'c2VjcmV0' } }
    await create('/api/v1/namespaces/shop/secrets', other)
    const backend = { service: { name: 'tea', port: { number: 80 } } }
    await create(`/apis/${networking}/v1/namespaces/shop/ingresses`, {
      ...{ apiVersion: `${networking}/v1`, kind: 'Ingress', metadata: { name: 'tea' } },
      spec: {
        rules: [{ host: 'tea.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
        tls: [{ hosts: ['tea.example.org'], secretName: 'tea-tls' }],
      },
    })
    const kubeconfig = join(dir, 'kubeconfig')
    writeFileSync(kubeconfig, readFileSync(api.kubeconfig, 'utf8').replace('"token":"admin"', '"token":"plain"'))
    daemon = await startDaemon({
      daemon: 'ingress-ts',
      netns,
      args: [
        ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`, '--watch-ingress-without-class'],
        ...['--sync-rate-limit=100', '--post-shutdown-grace-period=0', '--update-status=false'],
      ],
      env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'shop' },
    })
    await daemon.waitUntil(async () => (await served()) === 'first', 20_000)
  }, 120_000)

  afterAll(async () => {
    await daemon?.stop()
    await api?.close()
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('serves the certificate of a Secret that it may read', async () => {
    expect(await served()).toBe('first')
    const { status } = await api.request('GET', '/api/v1/namespaces/shop/secrets/other', { as: 'plain' })
    expect(status).toBe(403)
  })

  it('follows a change of it', async () => {
    const { status } = await api.request('PUT', '/api/v1/namespaces/shop/secrets/tea-tls', { body: pair('second') })
    expect(status).toBe(200)
    await daemon.waitUntil(async () => (await served()) === 'second', 10_000)
  })
})
