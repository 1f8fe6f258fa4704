// A cluster of one Ingress, Service and slice per host, every host with TLS under one certificate for all.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'

/** Certificate and key, PEM. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

/** Name of a host. */
export const hostAt = (i: number): string => `h${i}.bench.example.org`

/** A certificate for all hosts. */
export function makePair(): Pair {
  const dir = mkdtempSync(join(tmpdir(), 'kw-pair-'))
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const names = 'subjectAltName=DNS:*.bench.example.org'
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  execFileSync('openssl', [...words, '-subj', '/CN=bench', '-addext', names, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  rmSync(dir, { recursive: true })
  return pair
}

/** An Ingress of one host with three paths. */
export function ingressAt(i: number, timeoutSeconds = 60): KubeObject {
  const backend = { service: { name: `s${i}`, port: { number: 80 } } }
  const paths = ['/', '/api', '/static'].map((path) => ({ path, pathType: 'Prefix' as const, backend }))
  const annotations = { 'nginx.ingress.kubernetes.io/proxy-read-timeout': String(timeoutSeconds) }
  const tls = [{ hosts: [hostAt(i)], secretName: 'all' }]
  return ingress(`bench/i${i}`, { rules: [{ host: hostAt(i), http: { paths } }], tls }, annotations)
}

/** The slice of a host's Service, with one address. */
export function sliceAt(i: number, address = '10.20.3.4'): KubeObject {
  return endpointSlice(`bench/s${i}`, [address])
}

/** A host without TLS, which plain http is not redirected from; served by the first host's Service. */
export const hostWithoutTls = 'plain-http.bench.example.org'

function plainIngress(): KubeObject {
  const backend = { service: { name: 's0', port: { number: 80 } } }
  const paths = [{ path: '/', pathType: 'Prefix' as const, backend }]
  return ingress('bench/plain-http', { rules: [{ host: hostWithoutTls, http: { paths } }] })
}

/** Everything for `count` hosts. */
export function clusterOf(count: number, pair: Pair): KubeObject[] {
  const text = (value: string): string => Buffer.from(value).toString('base64')
  const data = { 'tls.crt': text(pair.cert), 'tls.key': text(pair.key) }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'all', namespace: 'bench' }, data } as KubeObject
  const ports = [{ port: 80, targetPort: 8080, protocol: 'TCP' as const }]
  const each = Array.from({ length: count }, (_, i) => [ingressAt(i), service(`bench/s${i}`, { ports }), sliceAt(i)])
  return [secret, plainIngress(), ...each.flat()]
}
