// Further builders for tests of this package: Secrets and ConfigMaps from plain text.

import type { ConfigMap, Secret } from '@kubewire/kube-model'

/** A ConfigMap from `namespace/name`. */
export function configMap(key: string, data: { readonly [key: string]: string }): ConfigMap {
  const [namespace = '', name = ''] = key.split('/')
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data }
}

/** A Secret from `namespace/name`; values are plain text here. */
export function secret(key: string, data: { readonly [key: string]: string }): Secret {
  const [namespace = '', name = ''] = key.split('/')
  const encoded = Object.fromEntries(Object.entries(data).map(([field, text]) => [field, toBase64(text)]))
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data: encoded }
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
