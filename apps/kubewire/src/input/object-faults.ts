// What an API server refuses although every value is of its type. The object is read all the same: what it would do is
// a matter for people. Whoever was in a cluster has passed these checks.

import { type Problem, refOf, withDefaultNamespace } from '@kubewire/kube-model'
import type { ManifestObject } from '@kubewire/kube-model/manifest'
import { checkObject } from '@kubewire/mini-apiserver/check-object'
import { parseFieldPath } from './field-path.ts'

/** A problem for each reason that the API server would have to refuse the object, in its words. */
export function objectFaults({ object, positionOf }: ManifestObject): readonly Problem[] {
  return checkObject(object).map(({ field, message }) => ({
    code: 'CLI_REFUSED',
    severity: 'error',
    object: refOf(withDefaultNamespace(object)),
    path: field,
    message: shortened(message),
    fallback: `no API server takes this ${object.kind}`,
    position: positionOf(parseFieldPath(field)),
  }))
}

// The server quotes the whole value, be it a spec of a hundred lines; its end says what is wrong.
function shortened(message: string): string {
  return message.length > 240 ? `${message.slice(0, 80)}…${message.slice(-120)}` : message
}
