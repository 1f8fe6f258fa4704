// The same story told by kubectl to mini-apiserver and to kube-apiserver: every output must be the same, but for what
// differs between any two clusters (uids, versions, times).

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originalBinary } from '../harness/api-server.ts'
import { whyNoNetns } from '../harness/netns.ts'
import { type ClientScene, openClientScene } from './client-scene.ts'

const reason = whyNoNetns() ?? whyNoOriginals()
if (reason !== undefined) console.log(`kubectl-twice.kernel.ts skipped: ${reason}`)

function whyNoOriginals(): string | undefined {
  try {
    for (const name of ['coredns', 'kube-proxy', 'kube-apiserver', 'server', 'kubectl'] as const) originalBinary(name)
    return undefined
  } catch (error) {
    return String(error)
  }
}

const manifest = (port: number, image: string): string => `
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop, labels: {tier: front}}
spec:
  clusterIP: 10.96.0.60
  ipFamilyPolicy: SingleStack
  selector: {app: tea}
  ports: [{name: http, port: ${port}, targetPort: web}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tea, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: tea}}
  template:
    metadata: {labels: {app: tea}}
    spec: {containers: [{name: c, image: ${image}, ports: [{name: web, containerPort: 8080}]}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: tea, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: tea.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {name: http}}}}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: tea-a, namespace: shop, labels: {kubernetes.io/service-name: tea}}
addressType: IPv4
endpoints: [{addresses: [10.244.1.5], conditions: {ready: true}}, {addresses: [10.244.1.6], conditions: {ready: false}}]
ports: [{name: http, port: 8080, protocol: TCP}]
`

const pie = `
apiVersion: v1
kind: Service
metadata: {name: pie, namespace: shop}
spec: {type: NodePort, clusterIP: 10.96.0.62, selector: {app: pie}, ports: [{port: 80, nodePort: 30123}]}
`

const daemon = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: kettle, namespace: shop}
spec:
  selector: {matchLabels: {app: kettle}}
  template:
    metadata: {labels: {app: kettle}}
    spec:
      nodeSelector: {zone: a}
      containers: [{name: c, image: img:1}, {name: d, image: img:2}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: pot, namespace: shop}
spec:
  serviceName: pot
  selector: {matchLabels: {app: pot}}
  template:
    metadata: {labels: {app: pot}}
    spec: {containers: [{name: c, image: img:1}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: cup, namespace: shop}
spec:
  selector: {matchExpressions: [{key: app, operator: In, values: [cup, mug]}]}
  template:
    metadata: {labels: {app: cup}}
    spec: {containers: [{name: c, image: img:1}]}
`

type Step = readonly [command: string, input?: string]

const story: readonly Step[] = [
  ['create namespace shop'],
  ['create namespace shop'],
  ['create configmap menu -n shop --from-literal=a=1 --from-literal=b=2'],
  ['create secret generic key -n shop --from-literal=a=1'],
  ['create service clusterip cake -n shop --tcp=80:8080 --clusterip=10.96.0.61'],
  ['create -f -', pie],
  ['create service externalname far -n shop --external-name=far.example.org'],
  ['create deployment cake -n shop --image=img --replicas=2'],
  ['create ingress cake -n shop --rule=cake.example.org/*=cake:80'],
  ['apply -f -', manifest(80, 'img:1')],
  ['apply -f -', manifest(80, 'img:1')],
  ['diff -f -', manifest(81, 'img:2')],
  ['apply -f - --dry-run=server', manifest(81, 'img:2')],
  ['get deploy tea -n shop -o jsonpath={.metadata.generation}'],
  ['apply -f -', manifest(81, 'img:2')],
  ['apply --server-side -f -', manifest(82, 'img:2')],
  ['get deploy tea -n shop -o jsonpath={.metadata.generation}'],
  ['apply --server-side --field-manager=other -f -', manifest(83, 'img:2')],
  ['get deploy tea -n shop -o jsonpath={.metadata.generation}'],
  ['apply --server-side --field-manager=other --force-conflicts -f -', manifest(83, 'img:2')],
  ['get deploy tea -n shop -o jsonpath={.metadata.generation}'],
  ['get svc,ingress,deploy,endpointslices,configmaps,secrets -n shop'],
  ['get svc,ingress,deploy,endpointslices,nodes -A -o wide --show-labels'],
  ['create -f -', daemon],
  ['get daemonsets,statefulsets,replicasets -n shop -o wide'],
  ['get svc tea -n shop -o yaml --show-managed-fields'],
  ['get deploy tea -n shop -o yaml'],
  ['get ingress tea -n shop -o json'],
  ['get endpointslices tea-a -n shop -o yaml'],
  ['get svc -n shop -l tier=front -o name'],
  ['get svc -A --field-selector spec.clusterIP!=None,metadata.namespace=shop -o name'],
  ['get svc -A --field-selector spec.colour=red'],
  ['get svc absent -n shop'],
  ['get teapots'],
  ['get --raw /api/v1/namespaces/shop/configmaps/absent'],
  ['label endpointslices tea-a -n shop colour=green'],
  ['annotate endpointslices tea-a -n shop note=hello'],
  ['get endpointslices tea-a -n shop -o jsonpath={.metadata.generation}'],
  ['annotate deploy tea -n shop note=hello'],
  ['get deploy tea -n shop -o jsonpath={.metadata.generation}'],
  ['describe svc tea -n shop'],
  ['describe ingress tea -n shop'],
  ['describe deploy tea -n shop'],
  ['describe configmap menu -n shop'],
  ['label svc tea -n shop colour=green'],
  ['label svc tea -n shop colour=blue'],
  ['annotate svc tea -n shop note=hello'],
  ['edit svc tea -n shop'],
  ['edit svc tea -n shop'],
  ['patch svc tea -n shop -p {"spec":{"ports":[{"name":"more","port":90}]}}'],
  ['patch svc tea -n shop --type=merge -p {"spec":{"sessionAffinity":"ClientIP"}}'],
  ['patch svc tea -n shop --type=json -p [{"op":"remove","path":"/spec/nothing"}]'],
  ['patch svc tea -n shop -p {"spec":{"clusterIP":"10.96.0.99"}}'],
  ['scale deploy tea -n shop --replicas=5'],
  ['set image deploy/tea c=img:9 -n shop'],
  ['replace -f -', manifest(84, 'img:4')],
  ['get svc,deploy tea -n shop -o yaml'],
  ['apply -f -', 'apiVersion: v1\nkind: Service\nmetadata: {name: odd, namespace: shop}\nspec: {prts: []}\n'],
  [
    'create -f -',
    'apiVersion: v1\nkind: Service\nmetadata: {name: Odd_, namespace: shop}\nspec: {ports: [{port: 0}]}\n',
  ],
  ['create -f -', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: nowhere}\nspec: {containers: []}\n'],
  ['auth can-i list pods'],
  ['wait svc/tea -n shop --for=jsonpath={.spec.type}=ClusterIP --timeout=5s'],
  ['wait deploy/tea -n shop --for=condition=Available --timeout=1s'],
  ['delete svc pie far -n shop'],
  ['delete svc pie -n shop'],
  ['delete ingress,endpointslices --all -n shop'],
  ['get all,ingress,endpointslices -n shop'],
]

/** Everything that may differ between two clusters or two seconds. */
function plain(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID')
    .replace(/(resourceVersion"?:\s*)"\d+"/g, '$1VERSION')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/(?<=\s)(?:\d+m)?\d+s(?=\s)/g, 'AGE')
    .replace(/(CreationTimestamp:\s+).*/g, '$1TIME')
    .replace(/\/tmp\/(?:LIVE|MERGED)-\d+\/|\/tmp\/kubectl-edit-\d+/g, 'FILE')
    .replace(/^(?:---|\+\+\+) .*$/gm, 'FILE')
    .replace(/[ \t]+/g, ' ')
}

async function tell(api: 'mini' | 'real'): Promise<readonly string[]> {
  const scene: ClientScene = await openClientScene(api)
  try {
    const outputs: string[] = []
    for (const [command, input] of story) outputs.push(plain(await scene.kubectl(command.split(' '), input)))
    return outputs
  } finally {
    await scene.close()
  }
}

describe.skipIf(reason !== undefined)('kubectl prints the same of mini-apiserver as of kube-apiserver', () => {
  let ours: readonly string[] = []
  let theirs: readonly string[] = []
  beforeAll(async () => {
    ours = await tell('mini')
    theirs = await tell('real')
  }, 300_000)
  afterAll(() => {
    ours = []
  })

  it.each(story.map(([command], at) => [at, command] as const))('%i. %s', (at) => {
    expect(ours[at]).toBe(theirs[at])
  })
})
