// What `kubewire test --init` writes: one scenario for each area, small, complete and right, over one folder of
// manifests.

/** Files by name, below the folder of the scenarios. */
export const firstCases: { readonly [name: string]: string } = {
  'manifests/tea.yaml': `# Stands for your own manifests: name their folder under \`manifests\` in the scenarios instead.
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec:
  selector: {app: tea}
  ports: [{name: http, port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tea, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: tea}}
  template:
    metadata: {labels: {app: tea}}
    spec:
      containers: [{name: tea, image: registry.example.org/tea, ports: [{containerPort: 8080}]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations:
    nginx.ingress.kubernetes.io/rewrite-target: /$1
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http:
        paths:
          - path: /tea/(.*)
            pathType: ImplementationSpecific
            backend: {service: {name: tea, port: {name: http}}}
`,
  'names.yaml': `about: the tea Service has a name in the cluster, and a name that nobody has gets none
manifests: [manifests]
queries:
  - q: tea.shop.svc.cluster.local. A
    expect:
      rcode: NOERROR
      answer: ["tea.shop.svc.cluster.local. 5 IN A {{service/shop/tea}}"]
  - q: tee.shop.svc.cluster.local. A
    expect: {rcode: NXDOMAIN}
`,
  'packets.yaml': `about: a pod reaches every endpoint of the tea Service, on its port alone
manifests: [manifests]
config: {nodeName: node-1, nodeIPs: [192.0.2.11], clusterCIDR: 10.244.0.0/16}
flows:
  - from: {kind: pod, ip: 10.244.0.99}
    to: {ip: "{{service/shop/tea}}", port: 80, protocol: TCP}
    expect: {dnat: ["{{endpoints/shop/tea}}"], masquerade: false}
  - from: {kind: pod, ip: 10.244.0.99}
    to: {ip: "{{service/shop/tea}}", port: 81, protocol: TCP}
    expect: {verdict: accept, dnat: []}
`,
  'requests.yaml': `about: the path under /tea/ reaches the tea Service, everything else is not found
manifests: [manifests]
requests:
  - host: shop.example.org
    path: /tea/cups?size=2
    expect: {status: 200, backend: shop/tea, upstream: {path: "/cups?size=2"}}
  - host: shop.example.org
    path: /coffee
    expect: {status: 404}
`,
}
