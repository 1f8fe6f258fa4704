// The types of the field tables, parsed when first asked for.

import { type Field, parseRow } from './parse-table.ts'
import { admissionregistrationTypes } from './tables/admissionregistration.ts'
import { apiextensionsTypes } from './tables/apiextensions.ts'
import { appsTypes } from './tables/apps.ts'
import { authenticationTypes } from './tables/authentication.ts'
import { authorizationTypes } from './tables/authorization.ts'
import { autoscalingTypes } from './tables/autoscaling.ts'
import { autoscalingV2Types } from './tables/autoscaling-v2.ts'
import { batchTypes } from './tables/batch.ts'
import { coordinationTypes } from './tables/coordination.ts'
import { coreTypes } from './tables/core.ts'
import { discoveryTypes } from './tables/discovery.ts'
import { eventsTypes } from './tables/events.ts'
import { metaTypes } from './tables/meta.ts'
import { networkingTypes } from './tables/networking.ts'
import { policyTypes } from './tables/policy.ts'
import { rbacTypes } from './tables/rbac.ts'
import { schedulingTypes } from './tables/scheduling.ts'
import { storageTypes } from './tables/storage.ts'

const tables: { readonly [group: string]: { readonly [type: string]: string } } = {
  admission: admissionregistrationTypes,
  apiext: apiextensionsTypes,
  apps: appsTypes,
  authentication: authenticationTypes,
  authorization: authorizationTypes,
  autoscaling: autoscalingTypes,
  autoscaling2: autoscalingV2Types,
  batch: batchTypes,
  coordination: coordinationTypes,
  core: coreTypes,
  discovery: discoveryTypes,
  events: eventsTypes,
  meta: metaTypes,
  networking: networkingTypes,
  policy: policyTypes,
  rbac: rbacTypes,
  scheduling: schedulingTypes,
  storage: storageTypes,
}

/** A type: its fields in the order in which they are printed. */
export interface Message {
  /** `core.Service`: group of the table and name of the type. */
  readonly name: string
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
}

const parsed = new Map<string, Message>()

/** The type of that name (`core.Service`); throws when the tables do not have it. */
export function messageOf(name: string): Message {
  const known = parsed.get(name)
  if (known) return known
  const dot = name.indexOf('.')
  const row = tables[name.slice(0, dot)]?.[name.slice(dot + 1)]
  if (row === undefined) throw new Error(`no field table for type ${name}`)
  const fields = parseRow(row, name.slice(0, dot)).flatMap((entry) =>
    'spread' in entry
      ? messageOf(entry.spread).fields.map((field) => ({ ...field, inlineNumber: entry.number }))
      : [entry],
  )
  const message: Message = { name, fields, byName: new Map(fields.map((field) => [field.name, field])) }
  parsed.set(name, message)
  return message
}

/** Every type of the tables by name; for tests and the OpenAPI document. */
export function allMessageNames(): string[] {
  return Object.entries(tables).flatMap(([group, types]) => Object.keys(types).map((type) => `${group}.${type}`))
}
