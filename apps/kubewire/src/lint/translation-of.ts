// The ingress model of a snapshot and its configuration, made once for all rules; Ingresses without a class are taken too.

import type { ClusterSnapshot } from '@kubewire/kube-model'
import {
  kubewireLua,
  type Model,
  type RequestOutcome,
  renderConfig,
  type SimulatedRequest,
  type SourceNode,
  simulateSource,
  sourceTree,
  type Translation,
} from '@kubewire/nginx-gen'
import { translateInput } from '../input/ingress-input.ts'

const translations = new WeakMap<ClusterSnapshot, Translation>()
const configurations = new WeakMap<Model, readonly SourceNode[]>()

/** What a controller with the usual flags makes of the snapshot. */
export function translationOf(snapshot: ClusterSnapshot): Translation {
  const known = translations.get(snapshot)
  if (known !== undefined) return known
  const translation = translateInput(snapshot, {
    configmap: '',
    'ingress-class': 'nginx',
    'controller-class': 'k8s.io/ingress-nginx',
    'watch-ingress-without-class': true,
  })
  translations.set(snapshot, translation)
  return translation
}

/** What becomes of a request, supposed that every Service has an endpoint: missing ones are another rule's matter. */
export function outcomeOf(snapshot: ClusterSnapshot, request: SimulatedRequest): RequestOutcome {
  const { value: model } = translationOf(snapshot)
  const nodes = configurations.get(model) ?? sourceTree(renderConfig(model))
  configurations.set(model, nodes)
  const lua = kubewireLua({
    hasCertificate: (host) => Object.hasOwn(model.tls.hosts, host),
    endpointCount: () => 1,
  })
  return simulateSource(nodes, request, { lua }).outcome
}
