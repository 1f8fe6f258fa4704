// Events of both groups: one collection, two views. Stored in the older form.

import { type ApiObject, withoutUndefined } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { invalidValue, required } from '../field-error.ts'
import { type JsonObject, objectAt, textAt } from '../json.ts'
import { type ApiKind, type Column, defineKind, printAge } from './define-kind.ts'
import { qualifiedNameProblem } from './validate-meta.ts'

// Older name, newer name; the others are called alike.
const renamed: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]

const views = new WeakMap<ApiObject, ApiObject>()

function toNewer(event: ApiObject): ApiObject {
  const known = views.get(event)
  if (known) return known
  const view = rename({ ...event, apiVersion: 'events.k8s.io/v1' }, 0, 1)
  if (view['reportingController'] === '') delete view['reportingController']
  if (view['reportingInstance'] === '') delete view['reportingInstance']
  views.set(event, Object.freeze(view))
  return view
}

function toOlder(event: ApiObject): ApiObject {
  const view = rename({ ...event, apiVersion: 'v1' }, 1, 0)
  view['reportingComponent'] ??= ''
  view['reportingInstance'] ??= ''
  return view
}

function rename(event: ApiObject, from: 0 | 1, to: 0 | 1): ApiObject {
  const names = new Map(renamed.map((pair) => [pair[from], pair[to]]))
  const entries = Object.entries(event).map(([key, value]) => [names.get(key) ?? key, value])
  return withoutUndefined(Object.fromEntries(entries)) as ApiObject
}

function namespaceCauses(event: ApiObject, field: 'involvedObject' | 'regarding'): Cause[] {
  const about = textAt(objectAt(event, field), 'namespace')
  const own = event.metadata.namespace ?? ''
  const isClusterWide = about === ''
  const place = 'involvedObject.namespace'
  if (isClusterWide) {
    return own === 'default' ? [] : [invalidValue(place, about, 'does not match event.namespace')]
  }
  return about === own ? [] : [invalidValue(place, about, 'does not match event.namespace')]
}

function validateOlder(event: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  return old ? [] : namespaceCauses(event, 'involvedObject')
}

function validateNewer(event: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  if (old) return []
  const causes = namespaceCauses(event, 'regarding')
  if (event['eventTime'] === undefined || event['eventTime'] === null) causes.push(required('eventTime'))
  else {
    const controller = textAt(event, 'reportingController')
    const problem = controller === '' ? undefined : qualifiedNameProblem(controller)
    if (controller === '') causes.push(required('reportingController'))
    else if (problem !== undefined) causes.push(invalidValue('reportingController', controller, problem))
    for (const key of ['reportingInstance', 'action', 'reason'])
      if (textAt(event, key) === '') causes.push(required(key))
  }
  const type = textAt(event, 'type')
  if (type !== 'Normal' && type !== 'Warning') causes.push(invalidValue('type', '', `has invalid value: ${type}`))
  return causes
}

function selectableOf(about: 'involvedObject' | 'regarding'): { [field: string]: (event: ApiObject) => string } {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  const reporter = about === 'regarding' ? 'reportingController' : 'reportingComponent'
  const source = about === 'regarding' ? 'deprecatedSource' : 'source'
  return {
    ...Object.fromEntries(
      fields.map((key) => [`${about}.${key}`, (event: ApiObject) => textAt(objectAt(event, about), key)]),
    ),
    reason: (event) => textAt(event, 'reason'),
    type: (event) => textAt(event, 'type'),
    [reporter]: (event) => textAt(event, reporter),
    source: (event) => textAt(objectAt(event, source), 'component') || textAt(event, reporter),
  }
}

function columnsOf(view: (event: ApiObject) => JsonObject): readonly Column[] {
  const seen = (event: JsonObject) => event['lastTimestamp'] ?? event['firstTimestamp'] ?? event['eventTime'] ?? null
  const cell = (name: string, of: (event: JsonObject, nowMs: number) => string, priority = 0): Column => ({
    name,
    type: 'string',
    priority,
    cell: (event, nowMs) => of(view(event), nowMs),
  })
  return [
    cell('Last Seen', (event, nowMs) => printAge(seen(event), nowMs)),
    cell('Type', (event) => textAt(event, 'type')),
    cell('Reason', (event) => textAt(event, 'reason')),
    cell('Object', (event) => {
      const about = objectAt(event, 'involvedObject')
      return `${textAt(about, 'kind').toLowerCase()}/${textAt(about, 'name')}`
    }),
    cell('Subobject', (event) => textAt(objectAt(event, 'involvedObject'), 'fieldPath'), 1),
    cell('Source', (event) => textAt(objectAt(event, 'source'), 'component') || textAt(event, 'reportingComponent'), 1),
    cell('Message', (event) => textAt(event, 'message').trim()),
    cell('First Seen', (event, nowMs) => printAge(event['firstTimestamp'] ?? event['eventTime'], nowMs), 1),
    { name: 'Count', type: 'string', priority: 1, cell: (event) => view(event)['count'] ?? 1 },
    { name: 'Name', type: 'string', format: 'name', priority: 1, cell: (event) => event.metadata.name ?? '' },
  ]
}

/** Event (v1). */
export const event: ApiKind = defineKind({
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  type: 'core.Event',
  storage: 'events',
  isCreatedByPut: true,
  selectable: selectableOf('involvedObject'),
  columns: columnsOf((each) => each),
  rules: { validate: validateOlder },
})

/** Event (events.k8s.io/v1). */
export const newerEvent: ApiKind = defineKind({
  group: 'events.k8s.io',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  type: 'events.Event',
  storage: 'events',
  isCreatedByPut: true,
  selectable: selectableOf('regarding'),
  columns: columnsOf(toOlder),
  fromStorage: toNewer,
  toStorage: toOlder,
  checkedAs: { group: '', kind: 'Event' },
  rules: { validate: validateNewer },
})
