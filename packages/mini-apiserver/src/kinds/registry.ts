// The built-in kinds, in the order of discovery. A new kind is one definition and one line here.

import { configMap } from './config-map.ts'
import { customResourceDefinition } from './crd.ts'
import type { ApiKind } from './define-kind.ts'
import { endpointSlice, endpoints } from './endpoint-slice.ts'
import { event, newerEvent } from './event.ts'
import { ingress, ingressClass } from './ingress.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import { node } from './node.ts'
import { plainKinds } from './plain-kinds.ts'
import { pod } from './pod.ts'
import { reviewKinds } from './reviews.ts'
import { secret } from './secret.ts'
import { service } from './service.ts'
import { daemonSet, deployment, replicaSet, statefulSet } from './workloads.ts'

/** Every kind that is served without a CRD. */
export const builtInKinds: readonly ApiKind[] = [
  configMap,
  endpoints,
  event,
  namespace,
  node,
  pod,
  secret,
  service,
  ...plainKinds.filter(({ group }) => group === ''),
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  newerEvent,
  lease,
  endpointSlice,
  ingress,
  ingressClass,
  ...plainKinds.filter(({ group }) => group !== ''),
  ...reviewKinds,
  customResourceDefinition,
]
