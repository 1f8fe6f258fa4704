// An object of a file is held against the type of its kind before anything reads it, as an API server would: what
// does not fit is left out with a problem for each field, and null fields count as absent.

import {
  type KubeObject,
  type ObjectRef,
  type Problem,
  quoteFound,
  refOf,
  withDefaultNamespace,
} from '@kubewire/kube-model'
import type { ManifestObject } from '@kubewire/kube-model/manifest'
import { checkShape, type UnknownField } from '@kubewire/mini-apiserver/check-shape'
import { parseFieldPath } from './field-path.ts'

// Group and type of each kind that is read. Workloads are read for the endpoints they would make.
const types: { readonly [kind: string]: readonly [group: string, typeName: string] } = {
  ConfigMap: ['', 'core.ConfigMap'],
  DaemonSet: ['apps', 'apps.DaemonSet'],
  Deployment: ['apps', 'apps.Deployment'],
  Endpoints: ['', 'core.Endpoints'],
  EndpointSlice: ['discovery.k8s.io', 'discovery.EndpointSlice'],
  Ingress: ['networking.k8s.io', 'networking.Ingress'],
  IngressClass: ['networking.k8s.io', 'networking.IngressClass'],
  Namespace: ['', 'core.Namespace'],
  Node: ['', 'core.Node'],
  Pod: ['', 'core.Pod'],
  ReplicaSet: ['apps', 'apps.ReplicaSet'],
  Secret: ['', 'core.Secret'],
  Service: ['', 'core.Service'],
  ServiceCIDR: ['networking.k8s.io', 'networking.ServiceCIDR'],
  StatefulSet: ['apps', 'apps.StatefulSet'],
}

// Custom kinds have no type in the tables and are read as they are.
const untyped: ReadonlySet<string> = new Set(['ServiceImport'])

/** Whether anything reads objects of that group and kind; a Service of Knative is no Service of ours. */
export function isReadKind({ apiVersion = '', kind = '' }: KubeObject): boolean {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return untyped.has(kind) || types[kind]?.[0] === group
}

/** The object without null fields, or what is wrong with it. Only for kinds that are read. */
export function shapeObject({ object, positionOf }: ManifestObject): {
  readonly object?: KubeObject
  readonly problems: readonly Problem[]
} {
  const typeName = types[object.kind ?? '']?.[1]
  const unchecked = { object: object as never, misfits: [], unknown: [] }
  const {
    object: shaped,
    misfits,
    unknown,
  } = typeName === undefined ? unchecked : checkShape(object as never, typeName)
  const { name, namespace } = textsOf(shaped['metadata'])
  const problem = (path: string, message: string): Problem => ({
    code: 'CLI_OBJECT_SHAPE',
    severity: 'error',
    object: { kind: object.kind ?? '', ...(namespace === '' ? {} : { namespace }), name: name || '(unnamed)' },
    path,
    message,
    fallback: 'this object is left out',
    position: positionOf(parseFieldPath(path)),
  })
  if (misfits.length === 0 && name === '') {
    return { problems: [problem('metadata.name', 'expected a name, found none')] }
  }
  if (misfits.length === 0) {
    const whole = shaped as unknown as KubeObject
    const ref = refOf(withDefaultNamespace(whole))
    return { object: whole, problems: unknown.map((field) => unknownProblem(field, ref, positionOf)) }
  }
  return {
    problems: misfits.map(({ path, expected, found }) =>
      problem(path, `expected ${expected}, found ${wordsFor(found)}`),
    ),
  }
}

// A typing error is the usual reason, and the silent kind: nothing comes of the field.
function unknownProblem(
  { path, meant }: UnknownField,
  object: ObjectRef,
  positionOf: ManifestObject['positionOf'],
): Problem {
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return {
    code: 'CLI_UNKNOWN_FIELD',
    severity: 'warning',
    object,
    path,
    message: `expected a field of this kind, found ${quoteFound(path.split('.').at(-1) ?? '')}${hint}`,
    fallback: 'the field means nothing; kubectl apply refuses the object',
    position: positionOf(parseFieldPath(path)),
  }
}

function textsOf(metadata: unknown): { readonly name: string; readonly namespace: string } {
  const { name, namespace } = (metadata ?? {}) as { readonly [key: string]: unknown }
  return { name: typeof name === 'string' ? name : '', namespace: typeof namespace === 'string' ? namespace : '' }
}

// YAML reads 8 and yes as a number and a truth where a text was meant: the words say which it is.
function wordsFor(found: unknown): string {
  if (typeof found === 'string') return quoteFound(found)
  if (Array.isArray(found)) return 'a list'
  if (typeof found === 'object' && found !== null) return 'an object'
  return found === null ? 'null' : `the ${typeof found} ${String(found)}`
}
