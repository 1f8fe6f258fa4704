// The Helm charts and kustomizations, rendered by the real helm and kubectl: for values as the originals' charts know
// them, both with the same rights. Skipped where `pnpm originals` has not built the two.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { afterAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const helm = join(root, 'test/originals/bin/helm')
const kubectl = join(root, 'test/originals/bin/kubectl')
const hasHelm = existsSync(helm) && existsSync(kubectl)
if (!hasHelm)
  console.log('skipped: charts and kustomizations are not rendered, helm and kubectl are not built (pnpm originals)')
const scratch = mkdtempSync(join(tmpdir(), 'charts-'))
afterAll(() => rmSync(scratch, { recursive: true }))

type Json = Readonly<Record<string, unknown>>

interface Manifest extends Json {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** Every object that a chart renders with these values. */
function render(chart: string, values: Json = {}): readonly Manifest[] {
  const file = join(scratch, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const args = ['template', 'demo', join(root, 'deploy', chart, 'chart'), '--kube-version', '1.37.0']
  const run = spawnSync(helm, [...args, '--namespace', 'shop', '-f', file], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  expect(parseManifests(run.stdout, chart).problems).toEqual([])
  return parseAllDocuments(run.stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null)
}

/** The one object of a kind, and of a name when several are there. */
function one(objects: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = objects.filter(
    (object) => object.kind === kind && (name ?? object.metadata.name) === object.metadata.name,
  )
  expect(found.map((object) => object.metadata.name)).toHaveLength(1)
  return found[0] as Manifest
}

/** The value at a path, `spec.template.spec.containers.0.args`. */
function at(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], object)
}

describe.runIf(hasHelm).each(['coredns-ts', 'kube-proxy-ts', 'ingress-ts'])('the chart of %s', (chart) => {
  it('helm lint has nothing to say', () => {
    const run = spawnSync(helm, ['lint', '--strict', join(root, 'deploy', chart, 'chart')], { encoding: 'utf8' })
    expect(run.stdout).toContain('0 chart(s) failed')
  })

  it('kubectl renders the kustomization beside it', () => {
    const run = spawnSync(kubectl, ['kustomize', join(root, 'deploy', chart)], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(parseManifests(run.stdout, chart).problems).toEqual([])
    expect(run.stdout).toContain(`image: registry.example.org/kubewire/${chart}:`)
  })

  it('grants what the kustomization grants', () => {
    const rulesOf = (objects: readonly Manifest[]): string[] =>
      objects
        .filter(({ kind }) => kind === 'ClusterRole')
        .flatMap((role) => at(role, 'rules') as readonly Record<string, readonly string[]>[])
        .flatMap(({ apiGroups = [], resources = [], verbs = [] }) =>
          apiGroups.flatMap((group) =>
            resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
          ),
        )
        .sort()
    const plain = parseAllDocuments(readFileSync(join(root, 'deploy', chart, 'rbac.yaml'), 'utf8'))
    expect(rulesOf(render(chart))).toEqual(rulesOf(plain.map((document) => document.toJS() as Manifest)))
  })

  it('brings its alert rules and its dashboard where they are asked for', () => {
    const rule = { enabled: true }
    const objects = render(chart, {
      dashboard: { enabled: true },
      prometheusRule: rule,
      metrics: { prometheusRule: rule },
      controller: { metrics: { enabled: true, prometheusRule: rule } },
    })
    expect(at(one(objects, 'PrometheusRule'), 'spec.groups.0.rules.0.alert')).toMatch(/^[A-Z]/)
    const dashboard = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-dashboard'))
    expect(JSON.parse(Object.values(at(dashboard, 'data') as Record<string, string>)[0] ?? '')).toHaveProperty('panels')
  })
})

describe.runIf(hasHelm)('values of the chart of CoreDNS', () => {
  it('server blocks become the Corefile, and ports of Service and container', () => {
    const objects = render('coredns-ts', {
      servers: [
        {
          zones: [
            { zone: 'example.org.', scheme: 'tls://' },
            { zone: 'example.net.', scheme: 'tls://' },
          ],
          port: 853,
          plugins: [
            { name: 'tls', parameters: 'cert.pem key.pem' },
            { name: 'forward', parameters: '. 192.0.2.53', configBlock: 'prefer_udp\nexpire 5s' },
          ],
        },
        { zones: [{ zone: '.' }], port: 5300, servicePort: 53, nodePort: 30053, plugins: [{ name: 'whoami' }] },
      ],
      extraConfig: { import: { parameters: '/opt/coredns/*.conf' } },
    })
    expect(at(one(objects, 'ConfigMap'), 'data.Corefile')).toBe(
      [
        'import /opt/coredns/*.conf',
        'tls://example.org.:853 tls://example.net.:853 {',
        '    tls cert.pem key.pem',
        '    forward . 192.0.2.53 {',
        '        prefer_udp',
        '        expire 5s',
        '    }',
        '}',
        '.:5300 {',
        '    whoami',
        '}',
      ].join('\n'),
    )
    expect(at(one(objects, 'Service'), 'spec.ports')).toEqual([
      { name: 'tcp-853', protocol: 'TCP', port: 853, targetPort: 'tcp-853' },
      { name: 'udp-5300', protocol: 'UDP', port: 53, targetPort: 'udp-5300', nodePort: 30053 },
    ])
  })

  it('an adopted DNS keeps name, label and address', () => {
    const objects = render('coredns-ts', {
      fullnameOverride: 'coredns',
      k8sAppLabelOverride: 'kube-dns',
      service: { name: 'kube-dns', clusterIP: '10.96.0.10' },
      hpa: { enabled: true, maxReplicas: 5 },
    })
    const service = one(objects, 'Service')
    expect(service.metadata.name).toBe('kube-dns')
    expect(at(service, 'spec.clusterIP')).toBe('10.96.0.10')
    expect(at(service, 'spec.selector.k8s-app')).toBe('kube-dns')
    expect(at(one(objects, 'Deployment'), 'spec.replicas')).toBeUndefined()
    expect(at(one(objects, 'HorizontalPodAutoscaler'), 'spec.maxReplicas')).toBe(5)
  })
})

describe.runIf(hasHelm)('values of the chart of ingress-nginx', () => {
  const argsOf = (objects: readonly Manifest[], kind = 'Deployment'): unknown =>
    at(one(objects, kind, 'demo-ingress-ts-controller'), 'spec.template.spec.containers.0.args')

  it('what is set becomes flags', () => {
    const objects = render('ingress-ts', {
      controller: {
        ingressClass: 'internal',
        ingressClassResource: { name: 'internal', controllerValue: 'example.org/internal', default: true },
        watchIngressWithoutClass: true,
        enableTopologyAwareRouting: true,
        metrics: { enabled: true },
        scope: { enabled: true, namespace: 'team-a' },
        electionID: 'internal-leader',
        admissionWebhooks: { enabled: false },
        extraArgs: { 'default-ssl-certificate': 'shop/wildcard', 'enable-ssl-passthrough': '' },
      },
      tcp: { '9000': 'shop/tea:80' },
    })
    expect(argsOf(objects)).toEqual([
      '/nginx-ingress-controller',
      '--controller-class=example.org/internal',
      '--ingress-class=internal',
      '--configmap=$(POD_NAMESPACE)/demo-ingress-ts-controller',
      '--election-id=internal-leader',
      '--publish-service=$(POD_NAMESPACE)/demo-ingress-ts-controller',
      '--tcp-services-configmap=$(POD_NAMESPACE)/demo-ingress-ts-tcp',
      '--watch-namespace=team-a',
      '--enable-metrics=true',
      '--enable-topology-aware-routing=true',
      '--watch-ingress-without-class=true',
      '--default-ssl-certificate=shop/wildcard',
      '--enable-ssl-passthrough',
    ])
    expect(at(one(objects, 'IngressClass'), 'metadata.annotations')).toEqual({
      'ingressclass.kubernetes.io/is-default-class': 'true',
    })
    expect(at(one(objects, 'ConfigMap', 'demo-ingress-ts-tcp'), 'data')).toEqual({ '9000': 'shop/tea:80' })
  })

  it('settings are text, whatever YAML made of them', () => {
    const objects = render('ingress-ts', {
      controller: { config: { 'use-gzip': true, 'keep-alive': 75 }, allowSnippetAnnotations: true },
    })
    expect(at(one(objects, 'ConfigMap'), 'data')).toEqual({
      'allow-snippet-annotations': 'true',
      'use-gzip': 'true',
      'keep-alive': '75',
    })
  })

  it('runs as a DaemonSet on host ports', () => {
    const objects = render('ingress-ts', {
      controller: { kind: 'DaemonSet', hostNetwork: true, hostPort: { enabled: true } },
    })
    const pod = at(one(objects, 'DaemonSet'), 'spec.template.spec')
    expect(at(pod, 'hostNetwork')).toBe(true)
    // The kernel lets no Pod in the node's network namespace set this one.
    expect(at(pod, 'securityContext.sysctls')).toBeUndefined()
    expect(at(pod, 'containers.0.ports.0')).toMatchObject({ name: 'http', containerPort: 80, hostPort: 80 })
    expect(objects.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget')
  })

  it('the webhook trusts the certificate that the Pods get', () => {
    const objects = render('ingress-ts')
    const secret = one(objects, 'Secret')
    const bundle = at(one(objects, 'ValidatingWebhookConfiguration'), 'webhooks.0.clientConfig.caBundle')
    expect(bundle).toBe(at(secret, 'data')?.['ca.crt' as never])
    expect(argsOf(objects)).toContain('--validating-webhook-certificate=/usr/local/certificates/cert')
  })

  it('a scope with rbac.scope reads one namespace only', () => {
    const objects = render('ingress-ts', {
      rbac: { scope: true },
      controller: { scope: { enabled: true, namespace: 'team-a' } },
    })
    expect(JSON.stringify(at(one(objects, 'ClusterRole'), 'rules'))).not.toContain('secrets')
    expect(one(objects, 'Role', 'demo-ingress-ts-scope').metadata.namespace).toBe('team-a')
  })
})
