// kubectl against mini-apiserver over https: every command that people use on a small cluster, in one story. Skips with
// the reason where there is no kubectl.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const kubectl = findKubectl()
if (kubectl === undefined) console.log('kubectl.kernel.ts skipped: no kubectl on PATH or in test/originals/bin')

/** Our own build first: it is the version that the server says it is. */
function findKubectl(): string | undefined {
  const built = fileURLToPath(new URL('../originals/bin/kubectl', import.meta.url))
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, 'kubectl'))
  return [built, ...onPath].find((path) => existsSync(path))
}

let server: MiniApiServer
let dir: string

/** Runs kubectl and returns what it printed; a status other than the wanted one fails with the output. */
function run(words: string, options: { readonly status?: number; readonly input?: string } = {}): Promise<string> {
  const { status = 0, input = '' } = options
  const args = [
    '--kubeconfig',
    join(dir, 'kubeconfig'),
    ...words.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'|'$/g, '')),
  ]
  return new Promise((resolve, reject) => {
    const child = execFile(
      kubectl ?? '',
      args,
      { timeout: 30_000, env: { ...process.env, HOME: dir } },
      (error, stdout, stderr) => {
        const found = error === null ? 0 : (error.code as unknown as number)
        if (found === status) resolve(stdout + stderr)
        else reject(new Error(`kubectl ${words}: status ${found}, wanted ${status}\n${stdout}${stderr}`))
      },
    )
    child.stdin?.end(input)
  })
}

const manifest = (port: number, image: string): string => `
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec:
  selector: {app: tea}
  ports: [{name: http, port: ${port}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tea, namespace: shop}
spec:
  selector: {matchLabels: {app: tea}}
  template:
    metadata: {labels: {app: tea}}
    spec: {containers: [{name: c, image: ${image}, ports: [{containerPort: 80}]}]}
`

describe.skipIf(kubectl === undefined)('kubectl against mini-apiserver', () => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'kwtest-kubectl-'))
    server = await createMiniApiServer()
    writeFileSync(join(dir, 'kubeconfig'), server.kubeconfig())
  })
  afterAll(async () => {
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('the generators, which send protobuf: create namespace, configmap, secret, service, deployment, ingress', async () => {
    expect(await run('create namespace shop')).toBe('namespace/shop created\n')
    expect(await run('create configmap menu -n shop --from-literal=a=1')).toBe('configmap/menu created\n')
    expect(await run('create secret generic key -n shop --from-literal=a=1')).toBe('secret/key created\n')
    expect(await run('create service clusterip cake -n shop --tcp=80:8080')).toBe('service/cake created\n')
    expect(await run('create deployment cake -n shop --image=img --replicas=2')).toBe('deployment.apps/cake created\n')
    expect(await run("create ingress cake -n shop '--rule=cake.example.org/*=cake:80'")).toMatch(/created/)
    expect(await run("get configmap menu -n shop '-o=jsonpath={.data.a}'")).toBe('1')
    expect(await run("get secret key -n shop '-o=jsonpath={.data.a}'")).toBe('MQ==')
    expect(await run("get svc cake -n shop '-o=jsonpath={.spec.ports[0].targetPort}'")).toBe('8080')
    expect(await run("get deploy cake -n shop '-o=jsonpath={.spec.replicas}'")).toBe('2')
  })

  it('get prints the columns of the kind', async () => {
    const [head, row] = (await run('get svc -n shop -o wide')).split('\n')
    expect(head?.split(/\s{2,}/)).toEqual(['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE', 'SELECTOR'])
    expect(row).toMatch(/^cake\s+ClusterIP\s+10\.\S+\s+<none>\s+80\/TCP\s+\d+s\s+app=cake\s*$/)
    expect(await run('get all -n shop')).toMatch(/service\/cake[\s\S]*deployment\.apps\/cake/)
  })

  it('get -w shows a change as it happens', async () => {
    const watching = run('get svc -n shop -w --request-timeout=3s', { status: 0 }).catch((error: unknown) =>
      String(error),
    )
    await run('label svc cake -n shop watched=yes')
    server.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'late', namespace: 'shop' },
      spec: { ports: [{ port: 80 }] },
    } as never)
    expect(await watching).toMatch(/late\s+ClusterIP/)
    await run('delete svc late -n shop')
  })

  it('create -f and apply: new, unchanged, changed, rehearsed', async () => {
    expect(await run('create -f -', { input: manifest(80, 'img:1') })).toMatch(
      /service\/tea created\ndeployment.apps\/tea created/,
    )
    await run('delete -f -', { input: manifest(80, 'img:1') })
    expect(await run('apply -f -', { input: manifest(80, 'img:1') })).toMatch(
      /service\/tea created\ndeployment.apps\/tea created/,
    )
    expect(await run('apply -f -', { input: manifest(80, 'img:1') })).toMatch(
      /service\/tea unchanged\ndeployment.apps\/tea unchanged/,
    )
    expect(await run('apply -f - --dry-run=server', { input: manifest(81, 'img:2') })).toMatch(
      /configured \(server dry run\)/,
    )
    expect(await run("get svc tea -n shop '-o=jsonpath={.spec.ports[0].port}'")).toBe('80')
    const difference = await run('diff -f -', { input: manifest(81, 'img:2'), status: 1 })
    expect(difference).toMatch(/-\s+port: 80\n\+\s+port: 81/)
    expect(difference).toMatch(/-\s+- image: img:1\n\+\s+- image: img:2/)
    expect(await run('apply -f -', { input: manifest(81, 'img:2') })).toMatch(
      /service\/tea configured\ndeployment.apps\/tea configured/,
    )
    expect(await run("get svc tea -n shop '-o=jsonpath={.spec.ports[*].port}'")).toBe('81')
  })

  it('apply --server-side takes over from client-side apply, keeps its fields, and names a conflict', async () => {
    expect(await run('apply --server-side -f -', { input: manifest(81, 'img:2') })).not.toMatch(/Warning/)
    expect(await run('apply --server-side -f -', { input: manifest(82, 'img:2') })).toMatch(/serverside-applied/)
    expect(await run("get svc tea -n shop '-o=jsonpath={.spec.ports[*].port}'")).toBe('82')
    const conflict = await run('apply --server-side --field-manager=other -f -', {
      input: manifest(82, 'img:3'),
      status: 1,
    })
    expect(conflict).toMatch(/conflict with "kubectl"/)
    await run('apply --server-side --field-manager=other --force-conflicts -f -', { input: manifest(82, 'img:3') })
    expect(await run("get deploy tea -n shop '-o=jsonpath={.spec.template.spec.containers[0].image}'")).toBe('img:3')
  })

  it('refuses what has a typing mistake, before and on the server', async () => {
    const wrong = 'apiVersion: v1\nkind: Service\nmetadata: {name: odd, namespace: shop}\nspec: {prts: []}\n'
    expect(await run('apply -f -', { input: wrong, status: 1 })).toMatch(/unknown field "spec\.prts"/)
    expect(await run('create -f - --validate=ignore', { input: wrong, status: 1 })).toMatch(
      /spec\.ports: Required value/,
    )
  })

  it('patch, label, annotate, scale, set image, replace', async () => {
    await run(`patch svc cake -n shop -p '{"spec":{"type":"NodePort"}}'`)
    await run(
      `patch svc cake -n shop --type=json -p '[{"op":"replace","path":"/spec/ports/0/targetPort","value":9090}]'`,
    )
    await run(`patch svc cake -n shop --type=merge -p '{"metadata":{"labels":{"a":"b"}}}'`)
    await run('label svc cake -n shop tier=front')
    await run('annotate svc cake -n shop note=hello')
    const found = JSON.parse(await run('get svc cake -n shop -o json')) as never
    expect(found).toMatchObject({
      metadata: { labels: { a: 'b', tier: 'front', watched: 'yes' }, annotations: { note: 'hello' } },
      spec: { type: 'NodePort', ports: [{ targetPort: 9090 }] },
    })
    expect(await run('scale deploy cake -n shop --replicas=5')).toBe('deployment.apps/cake scaled\n')
    expect(await run("get deploy cake -n shop '-o=jsonpath={.spec.replicas}'")).toBe('5')
    expect(await run('set image deploy/cake img=img:9 -n shop')).toMatch(/image updated/)
    expect(await run('replace -f -', { input: manifest(83, 'img:4') })).toMatch(/service\/tea replaced/)
  })

  it('describe shows a service with its endpoints and events, an ingress, a deployment', async () => {
    server.apply({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'cake-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'cake' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.244.1.5'], conditions: { ready: true } }],
      ports: [{ name: '80-8080', port: 9090, protocol: 'TCP' }],
    } as never)
    expect(await run('describe svc cake -n shop')).toMatch(/Endpoints:\s+10\.244\.1\.5:9090[\s\S]*Events:\s+<none>/)
    expect(await run('describe ingress cake -n shop')).toMatch(
      /cake\.example\.org[\s\S]*cake:80 \(10\.244\.1\.5:9090\)/,
    )
    expect(await run('describe deploy cake -n shop')).toMatch(/Replicas:\s+5 desired/)
  })

  it('explain, api-resources, auth, wait, cluster-info', async () => {
    expect(await run('explain svc.spec.ports.targetPort')).toMatch(/FIELD: targetPort/)
    expect(await run('explain ingress.spec --recursive')).toMatch(/ingressClassName\s+<string>/)
    expect(await run('api-resources --api-group=networking.k8s.io -o name')).toMatch(
      /^ingresses\.networking\.k8s\.io$/m,
    )
    expect(await run('auth can-i list pods')).toBe('yes\n')
    expect(await run('auth whoami')).toMatch(/Username\s+admin/)
    expect(await run("wait svc/cake -n shop '--for=jsonpath={.spec.type}=NodePort' --timeout=5s")).toMatch(
      /condition met/,
    )
    expect(await run('wait svc/absent -n shop --for=delete --timeout=5s', { status: 0 })).toBe('')
  })

  it('custom kinds: defined, used, explained, deleted', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'teapots.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Teapot', plural: 'teapots', shortNames: ['tp'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Litres', type: 'integer', jsonPath: '.spec.litres' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { litres: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    }
    await run('apply -f -', { input: JSON.stringify(crd) })
    await run('wait crd/teapots.example.org --for=condition=Established --timeout=5s')
    const pot = {
      apiVersion: 'example.org/v1',
      kind: 'Teapot',
      metadata: { name: 'big', namespace: 'shop' },
      spec: { litres: 2 },
    }
    expect(await run('apply -f -', { input: JSON.stringify(pot) })).toBe('teapot.example.org/big created\n')
    expect(await run('apply -f -', { input: JSON.stringify({ ...pot, spec: { litres: 3 } }) })).toBe(
      'teapot.example.org/big configured\n',
    )
    expect(await run('get tp -n shop')).toMatch(/NAME\s+LITRES\nbig\s+3/)
    expect(await run('explain teapot.spec.litres')).toMatch(/FIELD: litres <integer>/)
    expect(await run('delete teapot big -n shop')).toMatch(/deleted/)
    await run('delete crd teapots.example.org')
    expect(await run('get teapots -n shop', { status: 1 })).toMatch(
      /doesn't have a resource type|not find the requested resource/,
    )
  })

  it.each([
    ['background', 'gone'],
    ['foreground', 'gone'],
    ['orphan', 'left'],
  ])('delete --cascade=%s: what belonged to it is %s', async (cascade, fate) => {
    const object = (name: string, ownerReferences: readonly object[]): never =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop', ownerReferences } }) as never
    server.apply(object('owner', []))
    const uid = server.get('ConfigMap', 'owner', 'shop')?.metadata?.uid
    server.apply(object('owned', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }]))
    await run(`delete configmap owner -n shop --cascade=${cascade}`)
    await run('wait configmap/owner -n shop --for=delete --timeout=5s')
    if (fate === 'gone') await run('wait configmap/owned -n shop --for=delete --timeout=5s')
    else expect(await run("get configmap owned -n shop '-o=jsonpath={.metadata.ownerReferences}'")).toBe('')
    await run('delete configmap owned -n shop --ignore-not-found')
  })

  it('delete waits until things are gone, namespaces included', async () => {
    expect(await run('delete -f -', { input: manifest(83, 'img:4') })).toMatch(/service "tea" deleted/)
    expect(await run('delete svc --all -n shop')).toMatch(/service "cake" deleted/)
    expect(await run('delete namespace shop --timeout=20s')).toMatch(/namespace "shop" deleted/)
    expect(await run('get deploy -A')).toMatch(/No resources found/)
  })
})
