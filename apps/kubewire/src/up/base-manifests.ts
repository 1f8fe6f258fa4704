// What the demo's daemons need of a cluster, for folders that hold only an application: a node, DNS with its Corefile, an
// ingress class with its controller. A folder that declares the same objects has the last word.

/** YAML, the same as in examples/shop (a test compares them). */
export const baseManifests: string = `apiVersion: v1
kind: Node
metadata:
  name: node-1
  labels:
    kubernetes.io/hostname: node-1
    topology.kubernetes.io/zone: zone-a
spec:
  podCIDR: 10.244.1.0/24
  podCIDRs: [10.244.1.0/24, "fd00:10:244:1::/64"]
status:
  addresses:
    - { type: InternalIP, address: 192.0.2.11 }
    - { type: InternalIP, address: "2001:db8::11" }
    - { type: Hostname, address: node-1 }
---
apiVersion: v1
kind: Service
metadata:
  name: kube-dns
  namespace: kube-system
  labels: { k8s-app: kube-dns }
spec:
  clusterIP: 10.96.0.10
  ports:
    - { name: dns, port: 53, protocol: UDP, targetPort: 53 }
    - { name: dns-tcp, port: 53, protocol: TCP, targetPort: 53 }
    - { name: metrics, port: 9153, protocol: TCP, targetPort: 9153 }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: kube-dns-a
  namespace: kube-system
  labels: { kubernetes.io/service-name: kube-dns }
addressType: IPv4
ports:
  - { name: dns, port: 53, protocol: UDP }
  - { name: dns-tcp, port: 53, protocol: TCP }
  - { name: metrics, port: 9153, protocol: TCP }
endpoints:
  - addresses: [10.244.1.53]
    nodeName: node-1
    conditions: { ready: true }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: coredns
  namespace: kube-system
data:
  Corefile: |
    .:53 {
        bind 10.244.1.53
        errors
        health 10.244.1.53:8080 {
            lameduck 1s
        }
        ready 10.244.1.53:8181
        hosts {
            203.0.113.200 supplier.example.org
            fallthrough
        }
        kubernetes cluster.local in-addr.arpa ip6.arpa {
            kubeconfig {$KUBECONFIG}
            pods insecure
            fallthrough in-addr.arpa ip6.arpa
            ttl 30
        }
        prometheus 10.244.1.53:9153
        cache 30 {
            disable success cluster.local
            disable denial cluster.local
        }
        loop
        reload 2s 1s
        loadbalance
    }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: nginx
  annotations: { ingressclass.kubernetes.io/is-default-class: "true" }
spec:
  controller: k8s.io/ingress-nginx
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ingress-nginx-controller, namespace: ingress-nginx }
data:
  use-gzip: "false"
  proxy-connect-timeout: "2"
---
apiVersion: v1
kind: Pod
metadata:
  name: ingress-nginx-controller-0
  namespace: ingress-nginx
  labels: { app.kubernetes.io/name: ingress-nginx }
spec:
  nodeName: node-1
  containers: [{ name: controller, image: registry.example.org/ingress-ts:1 }]
status:
  phase: Running
  podIP: 10.244.1.80
  podIPs: [{ ip: 10.244.1.80 }]
---
apiVersion: v1
kind: Service
metadata: { name: ingress-nginx-controller, namespace: ingress-nginx }
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.80
  ports:
    - { name: http, port: 80, targetPort: 80, nodePort: 30080 }
    - { name: https, port: 443, targetPort: 443, nodePort: 30443 }
status:
  loadBalancer: { ingress: [{ ip: 203.0.113.10, ipMode: VIP }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: ingress-nginx-controller-a
  namespace: ingress-nginx
  labels: { kubernetes.io/service-name: ingress-nginx-controller }
addressType: IPv4
ports:
  - { name: http, port: 80, protocol: TCP }
  - { name: https, port: 443, protocol: TCP }
endpoints:
  - { addresses: [10.244.1.80], nodeName: node-1, conditions: { ready: true } }
`
