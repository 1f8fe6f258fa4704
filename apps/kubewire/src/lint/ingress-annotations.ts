// Annotations of the ingress controller on an Ingress, under its usual prefix.

import type { Ingress } from '@kubewire/kube-model'

/** Prefix of every annotation of the controller. */
export const annotationPrefix = 'nginx.ingress.kubernetes.io/'

/** The value of an annotation, without its prefix in `name`. */
export function annotationOf(ingress: Ingress | undefined, name: string): string | undefined {
  return ingress?.metadata?.annotations?.[`${annotationPrefix}${name}`]
}

/** Path of an annotation in the object, as findings name it. */
export function annotationPath(name: string): string {
  return `metadata.annotations["${annotationPrefix}${name}"]`
}

/** Whether an Ingress is a canary: it shares its paths with another on purpose. */
export function isCanary(ingress: Ingress): boolean {
  return annotationOf(ingress, 'canary') === 'true'
}
