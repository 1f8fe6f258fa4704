// What the ingress commands share: the controller's flags, as far as they decide about the configuration.

import { type ClusterSnapshot, type Problem, printRef, quoteFound, refOf, sortedObjects } from '@kubewire/kube-model'
import { type Translation, translateIngresses } from '@kubewire/nginx-gen'

/** The flags of every ingress command. */
export const ingressFlags = {
  configmap: {
    kind: 'string',
    default: '',
    help: 'NAMESPACE/NAME of the settings; default: the ConfigMap called ingress-nginx-controller, if there is one',
  },
  'ingress-class': { kind: 'string', default: 'nginx', help: 'name of the class that is ours' },
  'controller-class': { kind: 'string', default: 'k8s.io/ingress-nginx', help: 'controller of the class that is ours' },
  'watch-ingress-without-class': { kind: 'bool', default: false, help: 'take Ingresses that name no class too' },
} as const

interface IngressValues {
  readonly configmap: string
  readonly 'ingress-class': string
  readonly 'controller-class': string
  readonly 'watch-ingress-without-class': boolean
}

/** Translates the Ingresses of a snapshot as a controller with these flags would. */
export function translateInput(snapshot: ClusterSnapshot, values: IngressValues): Translation {
  const configMap = values.configmap === '' ? usualConfigMap(snapshot) : values.configmap
  const translation = translateIngresses(snapshot, {
    ingressClass: values['ingress-class'],
    controllerClass: values['controller-class'],
    watchWithoutClass: values['watch-ingress-without-class'],
    ...(configMap === undefined ? {} : { configMap }),
  })
  return { ...translation, problems: [...translation.problems, ...othersIngresses(snapshot, translation)] }
}

// A controller leaves these to others without a word; whoever asks about them here should hear why nothing is shown.
function othersIngresses(snapshot: ClusterSnapshot, { accepted, refused }: Translation): Problem[] {
  const ours = new Set([...accepted, ...refused].map(printRef))
  return sortedObjects(snapshot.ingresses)
    .filter((ingress) => !ours.has(printRef(refOf(ingress, 'Ingress'))))
    .map((ingress) => {
      const { ingressClassName } = ingress.spec ?? {}
      const found = ingressClassName === undefined ? 'none' : quoteFound(ingressClassName)
      return {
        code: 'CLI_NOT_OURS',
        severity: 'warning',
        object: refOf(ingress, 'Ingress'),
        path: 'spec.ingressClassName',
        message: `expected a class of this controller, found ${found}`,
        fallback: 'it is left out; --ingress-class and --watch-ingress-without-class decide',
      }
    })
}

// The name that the original's manifests and Helm chart use.
function usualConfigMap(snapshot: ClusterSnapshot): string | undefined {
  for (const { metadata } of snapshot.configMaps) {
    if (metadata?.name === 'ingress-nginx-controller') return `${metadata.namespace}/${metadata.name}`
  }
  return undefined
}
