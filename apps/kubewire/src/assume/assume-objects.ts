// Manifests of a repository are not yet a cluster: nobody has given Services addresses, made EndpointSlices from
// selectors, created Namespaces or installed an ingress class. This fills in what a cluster would, always the same way, and says so.

import type { KubeObject, Problem } from '@kubewire/kube-model'
import { assumeAddresses } from './assume-addresses.ts'
import { assumeClasses } from './assume-classes.ts'
import { assumeNamespaces } from './assume-namespaces.ts'
import { assumeSlices } from './assume-slices.ts'

/** Objects with the assumed ones, and a warning for each assumption that changes what is shown. */
export function assumeObjects(objects: readonly KubeObject[]): {
  readonly objects: readonly KubeObject[]
  readonly problems: readonly Problem[]
} {
  const addressed = assumeAddresses(objects)
  const slices = assumeSlices(addressed.objects)
  return {
    objects: [
      ...addressed.objects,
      ...slices.objects,
      ...assumeNamespaces(addressed.objects),
      ...assumeClasses(addressed.objects),
    ],
    problems: [...addressed.problems, ...slices.problems],
  }
}
