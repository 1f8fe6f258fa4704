// Which annotations of an Ingress a setting comes from: those without which it would be another. Asked of the families
// themselves, so that no table ties annotations to what they set.

import { type ClusterSnapshot, type Ingress, type ObjectRef, printRef } from '@kubewire/kube-model'
import { annotations, ingressFeatures, type Model } from '@kubewire/nginx-gen'
import { flattenValue } from './flatten-value.ts'

/** The annotations behind a leaf of the settings of an Ingress, for people. */
export type AnnotationsBehind = (ingress: ObjectRef, leaf: string) => readonly string[]

/** Asks about the Ingresses of a snapshot; each is taken apart once. */
export function createAnnotationsBehind(snapshot: ClusterSnapshot, model: Model): AnnotationsBehind {
  const known = new Map<string, ReadonlyMap<string, readonly string[]>>()
  return (ref, leaf) => {
    const key = printRef(ref)
    const leaves =
      known.get(key) ?? annotationsOfLeaves(snapshot.ingresses.get(ref.name, ref.namespace), snapshot, model)
    known.set(key, leaves)
    const names = leaves.get(leaf) ?? []
    return names.length === 0 ? [] : [`${key} ${names.join(', ')}`]
  }
}

function annotationsOfLeaves(
  ingress: Ingress | undefined,
  snapshot: ClusterSnapshot,
  model: Model,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  if (ingress === undefined) return found
  const all = flattenValue(ingressFeatures(ingress, snapshot, model))
  for (const name of annotationNames) {
    const full = `${model.options.annotationsPrefix}/${name}`
    const { [full]: text, ...others } = ingress.metadata?.annotations ?? {}
    if (text === undefined) continue
    const bare = { ...ingress, metadata: { ...ingress.metadata, annotations: others } }
    const without = flattenValue(ingressFeatures(bare, snapshot, model))
    for (const leaf of new Set([...all.keys(), ...without.keys()])) {
      if (all.get(leaf) !== without.get(leaf)) found.set(leaf, [...(found.get(leaf) ?? []), name])
    }
  }
  return found
}

const annotationNames: readonly string[] = annotations.flatMap(({ names }) => names)
