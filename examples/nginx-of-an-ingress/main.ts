// What does nginx get told for an Ingress, and where does a request end up? No cluster, no nginx.

import { printExplanation, snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { explainRequest, printConfig, renderConfig, simulateRequest, translateIngresses } from '@kubewire/nginx-gen'

const manifests = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations: { nginx.ingress.kubernetes.io/rewrite-target: /$1 }
spec:
  rules:
    - host: shop.example.org
      http:
        paths:
          - path: /api/(.*)
            pathType: ImplementationSpecific
            backend: { service: { name: tea, port: { number: 80 } } }
---
apiVersion: v1
kind: Service
metadata: { name: tea, namespace: shop }
spec: { clusterIP: 10.96.4.4, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: tea-1, namespace: shop, labels: { kubernetes.io/service-name: tea } }
addressType: IPv4
ports: [{ port: 8080, protocol: TCP }]
endpoints: [{ addresses: [10.244.1.5], conditions: { ready: true } }]
`
const { objects } = parseManifests(manifests, 'shop.yaml')
const { value: model, problems } = translateIngresses(snapshotOf(objects), { watchWithoutClass: true })
console.log(`${problems.length} problems`)

const tree = renderConfig(model)
const server = printConfig(tree)
  .split('\n')
  .filter((line) => /server_name shop|location ~|rewrite /.test(line))
console.log(server.join('\n'))

const trace = simulateRequest(tree, { host: 'shop.example.org', path: '/api/v1/cups?hot=yes' })
console.log(printExplanation(explainRequest(trace)))
