// An installation of ingress-nginx, run unchanged: the arguments, environment, user and volumes of its Deployment, its
// ConfigMaps, class and Services, and the Ingresses of well-known applications. Only the image is ours.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAllowed, neededRight, printRight, type RbacRule, type RbacScope } from '../deploy/rbac-rules.ts'
import { listenBridge } from '../harness/bridge.ts'
import { bundleDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import { startForwarder } from '../harness/forwarder.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`installation.kernel.ts is skipped: ${missing}`)

const folder = join(dirname(fileURLToPath(import.meta.url)), 'installation')
const read = (name: string): readonly KubeObject[] =>
  parseManifests(readFileSync(join(folder, name), 'utf8'), name).objects

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number }
}

const pod = { POD_NAME: 'ingress-nginx-controller-0', POD_NAMESPACE: 'ingress-nginx' }

/** What every cluster gives to everybody (system:public-info-viewer, system:discovery). */
const forEverybody: RbacScope = {
  rules: [{ nonResourceURLs: ['/version', '/healthz', '/livez', '/readyz', '/api', '/apis/*'], verbs: ['get'] }],
}

/** The rights that the roles of an installation give. */
function scopesOf(installed: readonly KubeObject[]): readonly RbacScope[] {
  return installed.flatMap((one): RbacScope[] => {
    const { rules = [] } = one as { readonly rules?: readonly RbacRule[] }
    if (one.kind === 'ClusterRole') return [{ rules }]
    return one.kind === 'Role' ? [{ rules, namespace: one.metadata?.namespace ?? '' }] : []
  })
}

function backends(certificate: string, key: string): readonly object[] {
  const text = (value: string): string => Buffer.from(value).toString('base64')
  return [
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'app', namespace: 'apps' } },
      spec: { clusterIP: '10.96.0.41', ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] },
    },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
      metadata: { name: 'app-1', namespace: 'apps', labels: { 'kubernetes.io/service-name': 'app' } },
      ...{ addressType: 'IPv4', ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] },
      endpoints: [{ addresses: ['10.20.3.4'], conditions: { ready: true } }],
    },
    {
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls' },
      metadata: { name: 'apps-tls', namespace: 'apps' },
      data: { 'tls.crt': text(certificate), 'tls.key': text(key) },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prometheus-users', namespace: 'apps' } },
      // admin:secret, as htpasswd -s writes it.
      data: { auth: text('admin:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n') },
    },
  ]
}

describe.skipIf(missing !== undefined)('an installation of ingress-nginx with our image', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-installation-'))
  let netns: Netns
  let controller: RunningProgram
  let api: MiniApiServer
  const refused: string[] = []
  const others: { stop?(): Promise<void>; close?(): Promise<void> }[] = []

  const curl = async (...words: readonly string[]): Promise<string> =>
    (await netns.run('curl', ['-sk', '--max-time', '4', ...words])).stdout

  /** The container's command line as the kubelet makes it; `main` stands for the image's link to it. */
  const commandOf = (container: Container, main: string, certificates: string): readonly string[] =>
    container.args.map((arg) =>
      arg
        .replaceAll(/\$\((\w+)\)/g, (_, name: keyof typeof pod) => pod[name])
        .replace(/^\/nginx-ingress-controller$/, main)
        .replace('/usr/local/certificates/', `${certificates}/`),
    )

  beforeAll(async () => {
    netns = await createNetns('installation')
    await netns.addAddresses(['10.20.3.4'])
    // As container runtimes do.
    await netns.setSysctl('net.ipv4.ip_unprivileged_port_start', 0)
    others.push(await startEchoServer(netns, [{ name: 'app', protocol: 'http', address: '10.20.3.4', port: 8080 }]))
    chmodSync(dir, 0o755)
    const certificates = join(dir, 'certificates')
    for (const name of ['certificates', 'run']) mkdirSync(join(dir, name))
    chmodSync(join(dir, 'run'), 0o1777)
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const [cert, key] = [join(certificates, 'cert'), join(certificates, 'key')]
    const names = ['-subj', '/CN=apps', '-addext', 'subjectAltName=DNS:*.example.org', '-keyout', key, '-out', cert]
    execFileSync('openssl', [...words, ...names], { stdio: 'ignore' })
    chmodSync(key, 0o644)
    const installed = read('controller.yaml')
    const deployment = installed.find(({ kind }) => kind === 'Deployment') as unknown as {
      readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } }
    }
    const container = deployment.spec.template.spec.containers[0] as Container
    const given = backends(readFileSync(cert, 'utf8'), readFileSync(key, 'utf8'))
    const items = [...installed.filter(({ kind }) => kind !== 'Deployment'), ...read('applications.yaml'), ...given]
    const scopes = [...scopesOf(installed), forEverybody]
    api = await createMiniApiServer({
      runsEndpointSlices: false,
      onRequest: ({ method, path, query }) => {
        const right = neededRight(method, path, new URLSearchParams(query))
        if (!isAllowed(scopes, right)) refused.push(printRight(right))
      },
    })
    api.apply(...(items as never[]))
    // Two rights that our own roles have and those of ingress-nginx have not.
    api.faults.inject({ kind: 'forbidden', verb: 'get', resource: 'secrets', times: 0 })
    api.faults.inject({ kind: 'forbidden', verb: 'patch', resource: 'ingresses', times: 0 })
    others.push(api)
    const bridge = await listenBridge(api.port, join(dir, 'api.sock'))
    others.push({ close: async () => void bridge.close() })
    others.push(await startForwarder(netns, '127.0.0.1:6443', join(dir, 'api.sock')))
    const kubeconfig = join(dir, 'kubeconfig')
    writeFileSync(kubeconfig, api.kubeconfig().replace(api.url, 'https://127.0.0.1:6443'), { mode: 0o644 })
    const { runAsUser, runAsGroup } = container.securityContext
    const user = [`--reuid=${runAsUser}`, `--regid=${runAsGroup}`, '--clear-groups']
    const main = await bundleDaemon('ingress-ts')
    // Of the two that a container has and a test has not: a service account, and a folder of its own below /run.
    const ours = [`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`]
    controller = netns.start({
      program: 'setpriv',
      args: [...user, process.execPath, ...commandOf(container, main, certificates), ...ours],
      env: { ...pod, ...Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value])), ...pod },
    })
    await controller.waitUntil(async () => (await curl('http://127.0.0.1:10254/healthz')) === 'ok', 30_000)
  }, 90_000)

  afterAll(async () => {
    await controller?.stop()
    for (const one of others.reverse()) await (one.stop ?? one.close)?.call(one)
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const rows: readonly (readonly [app: string, path: string, words: readonly string[], answer: string])[] = [
    ['grafana', '/', [], '308 https://grafana.example.org/'],
    ['grafana', '/login', ['https'], '200 app /login'],
    ['argo-cd', '/', [], '308 https://argo-cd.example.org/'],
    ['argo-cd', '/', ['https'], '200 app /'],
    ['gitlab', '/users/sign_in', [], '200 app /users/sign_in'],
    ['harbor', '/v2/', [], '308 https://harbor.example.org/v2'],
    ['nextcloud', '/', ['-H', 'Origin: https://any.example.org'], '200 app /'],
    ['prometheus', '/', [], '401 '],
    ['prometheus', '/', ['-u', 'admin:secret'], '200 app /'],
    ['kubernetes-dashboard', '/dashboard/pods?namespace=apps', [], '200 app /pods?namespace=apps'],
    ['keycloak', '/realms/master', [], '200 app /realms/master'],
    ['jenkins', '/', [], '302 http://jenkins.example.org/jenkins'],
    ['wordpress', '/wp-admin/', [], '200 app /wp-admin/'],
    ['www.wordpress', '/', [], '308 http://wordpress.example.org:80'],
    ['minio', '/bucket', [], '200 app /bucket'],
    ['longhorn', '/', [], '403 '],
    ['sonarqube', '/projects', [], '301 https://quality.example.org'],
    ['rabbitmq', '/', [], '200 app /'],
  ]
  it.each(rows)('%s%s %s answers %s', async (app, path, words, answer) => {
    const host = `${app}.example.org`
    const isSecure = words[0] === 'https'
    const scheme = isSecure
      ? ['--resolve', `${host}:443:127.0.0.1`, `https://${host}${path}`]
      : [`http://127.0.0.1${path}`]
    const more = isSecure ? words.slice(1) : words
    const text = await curl('-w', '\n%{http_code} %header{location}', '-H', `Host: ${host}`, ...more, ...scheme)
    const seen = /"name":"(\w+)"/.exec(text)?.[1]
    const uri = /"(?:path|url|uri)":"([^"]*)"/.exec(text)?.[1] ?? ''
    const [status = '', location = ''] = (text.split('\n').at(-1) ?? '').split(' ')
    const found = seen === undefined ? `${status} ${location}` : `${status} ${seen} ${uri}`
    expect(found.replace(/\/$/, '')).toBe(answer.replace(/\/$/, ''))
  })

  it('refuses the one that wants a snippet, as the ConfigMap says', async () => {
    const text = await curl('-i', '-H', 'Host: vault.example.org', 'http://127.0.0.1/')
    expect(text).not.toContain('X-Snippet')
  })

  it('publishes the address of its Service, exposes the TCP service and counts requests', async () => {
    expect(await curl('http://127.0.0.1:9000/')).toContain('"name":"app"')
    await controller.waitUntil(async () =>
      (await curl('http://127.0.0.1:10254/metrics')).includes('nginx_ingress_controller_requests{'),
    )
    const isPublished = (): boolean => JSON.stringify(api.get('Ingress', 'gitlab', 'apps')).includes('203.0.113.40')
    await controller.waitUntil(isPublished, 10_000)
  })

  it('does with the rights of the original, after it was refused those of our own roles', () => {
    const others = refused.filter((right) => !/^get \/secrets named|^patch .*ingresses\/status named/.test(right))
    expect(others).toEqual([])
    const gets = refused.filter((right) => right.startsWith('get /secrets'))
    expect(new Set(gets).size).toBe(gets.length)
    expect(refused.length - gets.length).toBeLessThanOrEqual(10)
  })

  it('checks Ingresses at the webhook', async () => {
    const object = {
      ...read('applications.yaml')[0],
      metadata: { name: 'new', namespace: 'apps', uid: '00000000-0000-4000-8000-000000000001' },
    }
    const request = { uid: 'u-1', kind: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' }, object }
    const review = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request })
    const answer = JSON.parse(await curl('-X', 'POST', '-d', review, 'https://127.0.0.1:8443/')) as {
      readonly response: { readonly allowed: boolean; readonly status?: { readonly message: string } }
    }
    expect(answer.response.allowed).toBe(false)
    expect(answer.response.status?.message).toContain('grafana.example.org')
  })
})
