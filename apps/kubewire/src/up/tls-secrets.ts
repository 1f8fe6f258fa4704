// Certificates for Ingresses, made at start: a key in a repository would be everybody's key.

import { type Ingress, type KubeObject, objectKey, type Secret, sortedEntries } from '@kubewire/kube-model'
import { type MiniApiServer, makeCertificate } from '@kubewire/mini-apiserver'

/** A Secret and, apart, the certificate in it. */
export interface TlsSecret {
  readonly secret: KubeObject
  /** PEM; self-signed, so it is also what to trust. */
  readonly certificate: string
}

/** A Secret for each that a `tls` section names and that does not exist, for all hosts that name it. */
export async function missingSecrets(server: MiniApiServer): Promise<readonly TlsSecret[]> {
  const wanted: { [key: string]: readonly [namespace: string, name: string, hosts: readonly string[]] } = {}
  for (const { metadata, spec } of server.list<Ingress>('Ingress')) {
    for (const { secretName: name, hosts = [] } of spec?.tls ?? []) {
      const { namespace = '' } = metadata ?? {}
      if (name === undefined || server.get<Secret>('Secret', name, namespace) !== undefined) continue
      const key = objectKey(namespace, name)
      wanted[key] = [namespace, name, [...(wanted[key]?.[2] ?? []), ...hosts]]
    }
  }
  const secrets: TlsSecret[] = []
  for (const [, [namespace, name, hosts]] of sortedEntries(wanted)) {
    const { cert, key } = await makeCertificate([...new Set(hosts)], hosts[0] ?? name)
    secrets.push({ secret: secretOf(namespace, name, cert, key), certificate: cert })
  }
  return secrets
}

function secretOf(namespace: string, name: string, cert: string, key: string): KubeObject {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name, namespace },
    data: { 'tls.crt': base64(cert), 'tls.key': base64(key) },
  }
  return secret
}
