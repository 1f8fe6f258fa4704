// What the cluster holds in which the daemons are watched: everything that makes them use a right, count, or read a secret.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, namespace, node, pod, service } from '@kubewire/kube-model/testing'

/** The address that backends answer at, port 8080. */
export const backendAddress = '10.20.3.4'

/** Names of Ingresses; each is the host `<name>.example.org`. */
const protectedBy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: { 'auth-type': 'basic', 'auth-secret': 'users' },
  'bad-users': { 'auth-type': 'basic', 'auth-secret': 'bad-users' },
  'bad-base64': { 'auth-type': 'basic', 'auth-secret': 'bad-base64' },
  'bad-ca': { 'auth-tls-secret': 'shop/bad-ca', 'auth-tls-verify-client': 'on' },
  'bad-upstream': { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'shop/bad-key' },
  broken: { 'configuration-snippet': 'no_such_directive on;' },
}

/** All objects but the Secrets. */
export function runningObjects(): readonly KubeObject[] {
  return [
    node('node-1', ['198.51.100.1']),
    namespace('shop', { team: 'tea' }),
    {
      ...pod('ingress/controller-0', ['198.51.100.1'], { app: 'controller' }),
      spec: { nodeName: 'node-1', containers: [{ name: 'controller', image: 'registry.example.org/controller' }] },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    } as KubeObject,
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx' },
      spec: { controller: 'k8s.io/ingress-nginx' },
    } as KubeObject,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'controller', namespace: 'ingress' },
      data: { 'allow-snippet-annotations': 'true', 'annotations-risk-level': 'Critical' },
    } as KubeObject,
    service('shop/tea', { clusterIP: '10.96.0.20' }),
    endpointSlice('shop/tea', [backendAddress]),
    service('shop/local', {
      clusterIP: '10.96.0.21',
      type: 'NodePort',
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Local',
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080, nodePort: 30080 }],
    }),
    endpointSlice('shop/local', [{ addresses: ['10.20.3.9'], conditions: { ready: true }, nodeName: 'node-2' }]),
    oneIngress('tea', 'tea', {}, 'good-tls'),
    oneIngress('orphan', 'absent', {}),
    ...['bad-key', 'bad-cert', 'bad-base64'].map((name) => oneIngress(`tls-${name}`, 'tea', {}, name)),
    ...Object.entries(protectedBy).map(([name, annotations]) => oneIngress(name, 'tea', annotations)),
  ]
}

function oneIngress(
  name: string,
  to: string,
  annotations: Readonly<Record<string, string>>,
  secretName?: string,
): KubeObject {
  const host = `${name}.example.org`
  const backend = { service: { name: to, port: { number: 80 } } }
  const prefixed = Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value])
  return ingress(
    `shop/${name}`,
    {
      ingressClassName: 'nginx',
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      ...(secretName === undefined ? {} : { tls: [{ hosts: [host], secretName }] }),
    },
    Object.fromEntries(prefixed) as Record<string, string>,
  )
}
