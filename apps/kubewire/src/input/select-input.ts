// `-n` and `-l`: which objects are asked about. Services and Ingresses that are not selected are left out, others stay:
// nobody asks about Nodes, Pods, slices or Secrets by themselves, and a selected Ingress keeps the Services it names.

import {
  type Ingress,
  type KubeObject,
  matchesSelector,
  type ObjectRef,
  parseSelector,
  printRef,
  quoteFound,
  refOf,
  snapshotOf,
  withDefaultNamespace,
} from '@kubewire/kube-model'
import { UsageError } from '../exit-code.ts'
import type { Input } from './input.ts'

/** What is asked for; empty is everything. */
export interface Selection {
  readonly namespace: string
  readonly selector: string
}

/**
 * The input with the selected Services and Ingresses, and the problems of these; `selected.whole` is what was read.
 *
 * @throws UsageError when the selector does not parse or nothing is selected
 */
export function selectInput(input: Input, selection: Selection): Input {
  return selectInputs([input], selection)[0] ?? input
}

/** The same for inputs that are compared: what is selected may be in one of them only. */
export function selectInputs(inputs: readonly Input[], selection: Selection): readonly Input[] {
  if (selection.namespace === '' && selection.selector === '') return inputs
  const isAsked = askedBy(selection)
  const subjects = inputs.flatMap(({ snapshot }) => [...snapshot.services, ...snapshot.ingresses])
  if (!subjects.some(isAsked)) throw nothingSelected(selection, subjects)
  return inputs.map((input) => narrowed(input, selection, isAsked))
}

type IsAsked = (object: KubeObject) => boolean

function narrowed(input: Input, selection: Selection, isAsked: IsAsked): Input {
  const { services, ingresses } = input.snapshot
  const named = new Set([...ingresses].filter(isAsked).flatMap(servicesOf))
  const isKept = (object: KubeObject): boolean =>
    !isSubject(object) || isAsked(object) || named.has(printRef(refOf(object)))
  const left = snapshotOf([...services, ...ingresses].filter(isKept))
  const byRef = new Map([...services, ...ingresses].map((object) => [printRef(refOf(object)), object]))
  return {
    ...input,
    objects: input.objects.filter((object) => isKept(withDefaultNamespace(object))),
    snapshot: { ...input.snapshot, services: left.services, ingresses: left.ingresses },
    problems: input.problems.filter(({ object }) => isKept(byRef.get(printRef(object)) ?? {})),
    selected: { whole: input, holds: refSelector(input, selection, isAsked) },
  }
}

function isSubject({ kind }: KubeObject): boolean {
  return kind === 'Service' || kind === 'Ingress'
}

function askedBy({ namespace, selector }: Selection): IsAsked {
  const requirements = parseSelector(selector)
  if (requirements === undefined) {
    throw new UsageError(`expected a selector such as app=tea,tier!=test, found ${quoteFound(selector)}`)
  }
  return ({ metadata = {} }) =>
    (namespace === '' || metadata.namespace === namespace) && matchesSelector(requirements, metadata.labels ?? {})
}

/** Whether an object is selected, by its reference; of what is not among the objects only the namespace counts. */
function refSelector({ objects }: Input, { namespace }: Selection, isAsked: IsAsked): (ref: ObjectRef) => boolean {
  const known = new Map(objects.map(withDefaultNamespace).map((object) => [printRef(refOf(object)), object]))
  return (ref) => {
    const object = known.get(printRef(ref))
    return object === undefined ? namespace === '' || ref.namespace === namespace : isAsked(object)
  }
}

function servicesOf({ metadata, spec }: Ingress): readonly string[] {
  const paths = (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? [])
  return [spec?.defaultBackend, ...paths.map(({ backend }) => backend)].flatMap((backend) =>
    backend?.service === undefined
      ? []
      : [printRef({ kind: 'Service', namespace: metadata?.namespace ?? '', name: backend.service.name ?? '' })],
  )
}

function nothingSelected({ namespace, selector }: Selection, subjects: readonly KubeObject[]): UsageError {
  const namespaces = [...new Set(subjects.map(({ metadata }) => metadata?.namespace ?? ''))].sort()
  const wanted = [
    ...(namespace === '' ? [] : [`of namespace ${quoteFound(namespace)}`]),
    ...(selector === '' ? [] : [`with labels ${quoteFound(selector)}`]),
  ]
  const there =
    namespaces.length === 0 ? 'none at all' : `none among ${subjects.length} of namespace ${namespaces.join(', ')}`
  return new UsageError(`expected a Service or Ingress ${wanted.join(' ')}, found ${there}`)
}
