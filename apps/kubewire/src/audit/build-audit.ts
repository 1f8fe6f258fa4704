// The inventory of a snapshot: every annotation and key of ingress-nginx in use, and what it does unasked.

import {
  type ClusterSnapshot,
  compareText,
  type Problem,
  printRef,
  refOf,
  sortedEntries,
  sortedObjects,
} from '@kubewire/kube-model'
import { annotations, families, settings, type Translation } from '@kubewire/nginx-gen'
import { annotationPath, annotationPrefix } from '../lint/ingress-annotations.ts'
import type { AuditEntry, HereStatus } from './audit-entry.ts'
import { hiddenBehaviours } from './behaviours.ts'
import { changeOf } from './changed-here.ts'
import { elsewhereOf } from './elsewhere.ts'

/** Everything in use, by kind, name and object. `configMap` is `NAMESPACE/NAME` of the settings, if there are any. */
export function buildAudit(
  snapshot: ClusterSnapshot,
  { value: model, problems }: Translation,
  configMap: string | undefined,
): readonly AuditEntry[] {
  const problemAt = new Map(problems.map((problem) => [`${printRef(problem.object)} ${problem.path}`, problem]))
  const entries = [
    ...annotationEntries(snapshot, problemAt),
    ...settingEntries(snapshot, problemAt, configMap),
    ...hiddenBehaviours.flatMap(({ name, summary, elsewhere, find }): AuditEntry[] => {
      const unique = new Map(find(model).map((object) => [printRef(object), object]))
      return [...unique.values()].map((object) => ({
        kind: 'behaviour',
        name,
        object,
        here: 'supported',
        detail: summary,
        elsewhere,
      }))
    }),
  ]
  return entries.sort(
    (a, b) =>
      compareText(a.kind, b.kind) || compareText(a.name, b.name) || compareText(printRef(a.object), printRef(b.object)),
  )
}

// Annotations of modules that this nginx does not have; they act only by their problem.
const unavailable = new Set<unknown>(families.find(({ name }) => name === 'unavailable')?.annotations)

type Problems = ReadonlyMap<string, Problem>

function annotationEntries(snapshot: ClusterSnapshot, problemAt: Problems): AuditEntry[] {
  return sortedObjects(snapshot.ingresses).flatMap((ingress) => {
    const object = refOf(ingress, 'Ingress')
    return sortedEntries(ingress.metadata?.annotations)
      .filter(([key]) => key.startsWith(annotationPrefix))
      .map(([key, value]): AuditEntry => {
        const name = key.slice(annotationPrefix.length)
        const definition = annotations.find(({ names }) => names.includes(name))
        const problem = problemAt.get(`${printRef(object)} ${annotationPath(name)}`)
        const isMissing = problem !== undefined && unavailable.has(definition)
        const found = problem === undefined ? undefined : isMissing ? 'unavailable' : statusOf(problem)
        const here = found ?? (definition === undefined ? 'unknown' : undefined)
        const change = changeOf(name)
        return {
          kind: 'annotation',
          name,
          object,
          value,
          here: here ?? (change === undefined ? 'supported' : 'changed'),
          ...(definition === undefined ? {} : { risk: definition.risk }),
          detail:
            problem === undefined
              ? (change ?? definition?.summary ?? 'nothing reads it')
              : `${problem.message}; ${problem.fallback}`,
          elsewhere: elsewhereOf(name),
        }
      })
  })
}

function settingEntries(snapshot: ClusterSnapshot, problemAt: Problems, configMap: string | undefined): AuditEntry[] {
  const [namespace = '', name = ''] = (configMap ?? '').split('/')
  const object = { kind: 'ConfigMap', namespace, name }
  return sortedEntries(snapshot.configMaps.get(name, namespace)?.data).map(([key, value]): AuditEntry => {
    const setting = Object.entries(settings).find(([known]) => known === key)?.[1] as
      | { readonly summary: string }
      | undefined
    const problem = problemAt.get(`${printRef(object)} data["${key}"]`)
    return {
      kind: 'setting',
      name: key,
      object,
      value,
      here: setting === undefined ? 'unknown' : problem === undefined ? 'supported' : statusOf(problem),
      detail:
        problem === undefined ? (setting?.summary ?? 'nothing reads it') : `${problem.message}; ${problem.fallback}`,
      elsewhere: '',
    }
  })
}

function statusOf({ code }: Problem): HereStatus {
  return code.endsWith('_UNAVAILABLE') ? 'unavailable' : 'refused'
}
