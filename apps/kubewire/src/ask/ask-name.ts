// One question of DNS as a person asks it: a name, a type, perhaps who asks, whose search list is then walked.
// Pure: the command and the browser page ask alike.

import { explainQuery, type Listener, type Query, type QueryExplanation, queryOf, typeNumber } from '@kubewire/dns-core'
import type { ClusterSnapshot, Explanation, KubeObject } from '@kubewire/kube-model'
import { UsageError } from '../exit-code.ts'
import { podResolver, podSpecOf } from './pod-resolver.ts'
import { parsePlace } from './proxy-place.ts'
import { searchNames } from './search-list.ts'

/** What is asked. */
export interface NameQuestion {
  readonly name: string
  /** `A`, `AAAA`, `SRV` … */
  readonly type: string
  /** An address, `pod/NAMESPACE/NAME`, or empty. */
  readonly client: string
}

/** Each name that was tried, in order; the last one is the answer. */
export interface NameAnswer {
  /** Whether a search list was walked, be it only to its first name. */
  readonly isWalk: boolean
  readonly tried: readonly TriedName[]
  /** What is special about the resolver of the pod that asks. */
  readonly notes: readonly string[]
}

/** One name of the list. */
export interface TriedName {
  readonly name: string
  readonly query: Query
  readonly explanation: QueryExplanation
}

/**
 * Asks the names of the search list one after the other until one has records; without a pod the name is absolute.
 *
 * @param objects - where the pod is looked up, or the workload that would make it
 * @throws UsageError when the type or the client means nothing, or the name is none
 */
export async function askName(
  listener: Listener,
  snapshot: ClusterSnapshot,
  question: NameQuestion,
  objects: Iterable<KubeObject> = snapshot.pods,
): Promise<NameAnswer> {
  const type = typeNumber(question.type)
  if (type === undefined)
    throw new UsageError(`expected a record type such as A or SRV, found ${JSON.stringify(question.type)}`)
  checkName(question.name)
  const { address, pod } = clientOf(question.client, snapshot)
  const extra = address === undefined ? {} : { client: { address, port: 53_000 } }
  const resolver = pod && podResolver(podSpecOf(objects, pod.namespace, pod.name), pod.namespace)
  const names = resolver === undefined ? [absolute(question.name)] : searchNames(question.name, resolver)
  const tried: TriedName[] = []
  for (const name of names) {
    const query = queryOf(name, type, extra)
    const explanation = await explainQuery(listener, query)
    tried.push({ name, query, explanation })
    if (explanation.outcome === 'records') break
  }
  return { isWalk: names.length > 1, tried, notes: resolver?.notes ?? [] }
}

/** The answer as one tree: one name is explained as it is, several as the steps of a walk. */
export function explainNameAnswer({ isWalk, tried, notes }: NameAnswer): Explanation {
  const steps = tried.map(({ explanation }) => explanation)
  const special = notes.map((what): Explanation => ({ where: 'resolver', what }))
  const [only] = steps
  if (only !== undefined && !isWalk) {
    return special.length === 0 ? only : { ...only, steps: [...special, ...(only.steps ?? [])] }
  }
  const last = steps.at(-1)?.what ?? ''
  const what = `${steps.length} ${steps.length === 1 ? 'question' : 'questions'}, the last: ${last}`
  return { where: 'search list', what, steps: [...special, ...steps] }
}

function clientOf(
  text: string,
  snapshot: ClusterSnapshot,
): { readonly address?: string; readonly pod?: { readonly namespace: string; readonly name: string } } {
  if (text === '') return {}
  const address = parsePlace(text, snapshot).ip.text
  const [, namespace, name] = /^pod\/([^/]+)\/(.+)$/.exec(text) ?? []
  return namespace === undefined || name === undefined ? { address } : { address, pod: { namespace, name } }
}

// RFC 1035 section 2.3.4; dig refuses such names as well, no server ever sees them.
function checkName(name: string): void {
  const bare = name.replace(/\.$/, '')
  const labels = bare.split('.')
  const long = labels.find((label) => label.length > 63)
  if (long !== undefined) {
    const found = `${JSON.stringify(`${long.slice(0, 8)}…`)} with ${long.length}`
    throw new UsageError(`expected a label of at most 63 octets, found ${found}; no such name can be asked`)
  }
  if (bare.length > 253) throw new UsageError(`expected a name of at most 253 octets, found one with ${bare.length}`)
  if (bare !== '' && labels.includes('')) throw new UsageError(`expected no empty label, found ${JSON.stringify(name)}`)
}

// Names on a command line are absolute, with or without the dot.
function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}
