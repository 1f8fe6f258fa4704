// Whether the server would take a new object, for those who read files: its checks without the rest of a write.
// Ranges of addresses and node ports are a cluster's own and not checked.

import type { KubeObject } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { forbiddenField, invalidValue } from '../field-error.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { setSliceDefaults, validateSlice } from './endpoint-slice.ts'
import { validateIngress } from './ingress.ts'
import { setServiceDefaults } from './service.ts'
import { validateService } from './validate-service.ts'

/** Something that the server refuses, in its words. */
export interface ObjectFault {
  /** `spec.ports[0].name`. */
  readonly field: string
  /** `Required value`. */
  readonly message: string
}

const checks: { readonly [kind: string]: (object: ApiObject) => readonly Cause[] } = {
  EndpointSlice: (slice) => {
    setSliceDefaults(slice)
    return validateSlice(slice, undefined)
  },
  Ingress: (ingress) => validateIngress(ingress, undefined),
  Service: (service) => {
    setServiceDefaults(service)
    const spec = objectAt(service, 'spec')
    const first = textAt(spec, 'clusterIP')
    if (spec['clusterIPs'] === undefined && first !== '') spec['clusterIPs'] = [first]
    else if (first === '' && textsAt(spec, 'clusterIPs').length > 0) spec['clusterIP'] = textsAt(spec, 'clusterIPs')[0]
    return [...validateService(service, undefined), ...nodePortCauses(service)]
  },
}

/** Every reason to refuse an object of the kinds that route traffic; its shape is right already (`checkShape`). */
export function checkObject(object: KubeObject): readonly ObjectFault[] {
  const check = checks[object.kind ?? '']
  if (check === undefined) return []
  return check(structuredClone(object) as unknown as ApiObject).map(({ field, message }) => ({ field, message }))
}

function nodePortCauses(service: ApiObject): Cause[] {
  const spec = objectAt(service, 'spec')
  const isExposed = ['LoadBalancer', 'NodePort'].includes(textAt(spec, 'type'))
  return objectsAt(spec, 'ports').flatMap((port, i) => {
    const number = numberAt(port, 'nodePort') ?? 0
    const field = `spec.ports[${i}].nodePort`
    if (number === 0) return []
    if (!isExposed) return [forbiddenField(field, "may not be used when `type` is 'ClusterIP'")]
    return number < 1 || number > 65_535 ? [invalidValue(field, number, 'must be between 1 and 65535, inclusive')] : []
  })
}
