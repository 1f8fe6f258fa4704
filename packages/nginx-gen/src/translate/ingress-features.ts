// What the annotations of one Ingress say, by itself: for tools that want to know which annotation a setting comes from.

import type { ClusterSnapshot, Ingress } from '@kubewire/kube-model'
import type { FeatureValues } from '../model/location.ts'
import type { Model } from '../model/model.ts'
import { readIngress } from './read-ingress.ts'

/**
 * Reads the annotation families of one Ingress as the translation of `model` does.
 *
 * @param snapshot - what its annotations may name
 * @param model - whose settings and flags count
 * @returns the values by family name, as in `Location.features`
 */
export function ingressFeatures(ingress: Ingress, snapshot: ClusterSnapshot, model: Model): FeatureValues {
  const { settings, options } = model
  return readIngress(ingress, { snapshot, settings, options }).features
}
