// The IngressClass that a controller's installation brings: files of an application never hold it.

import type { IngressClass, KubeObject } from '@kubewire/kube-model'

/** The class `nginx` of ingress-nginx, unless the files bring classes of their own. */
export function assumeClasses(objects: readonly KubeObject[]): readonly IngressClass[] {
  const needsClass = objects.some(({ kind }) => kind === 'Ingress')
  if (!needsClass || objects.some(({ kind }) => kind === 'IngressClass')) return []
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx' },
      spec: { controller: 'k8s.io/ingress-nginx' },
    },
  ]
}
