// Lease (coordination.k8s.io/v1), as leader elections use it.

import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { invalidValue } from '../field-error.ts'
import { numberAt, objectAt, textAt } from '../json.ts'
import { type ApiKind, ageColumn, defineKind, nameColumn } from './define-kind.ts'

function validateLease(lease: ApiObject): Cause[] {
  const spec = objectAt(lease, 'spec')
  const duration = numberAt(spec, 'leaseDurationSeconds')
  const transitions = numberAt(spec, 'leaseTransitions')
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ]
}

/** Lease. */
export const lease: ApiKind = defineKind({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  type: 'coordination.Lease',
  isCreatedByPut: true,
  needsVersion: true,
  columns: [
    nameColumn,
    { name: 'Holder', type: 'string', cell: (object) => textAt(objectAt(object, 'spec'), 'holderIdentity') },
    ageColumn,
  ],
  rules: { validate: validateLease },
})
