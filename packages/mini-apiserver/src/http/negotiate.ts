// The `Accept` header: which of the forms we can write a client wants (apiserver `endpoints/handlers/negotiation`).

import { notAcceptable } from '../api-status.ts'

/** The form of an answer. */
export interface AnswerForm {
  readonly mediaType: 'application/json' | 'application/yaml'
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Version of the transformed document (`v1`, `v1beta1`). */
  readonly version: string
}

interface Accepted {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

const plain: AnswerForm = { mediaType: 'application/json', as: 'object', version: '' }

const available = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/**
 * Picks the first acceptable form.
 *
 * @param isWatch - watches are never YAML
 * @throws ApiStatusError 406
 */
export function negotiate(accept: string | undefined, isWatch: boolean): AnswerForm {
  if (accept === undefined || accept.trim() === '') return plain
  const clauses = accept.split(',').map(parseClause)
  for (const clause of clauses) {
    const form = formOf(clause, isWatch)
    if (form) return form
  }
  if (clauses.some(({ parameters }) => parameters.has('as'))) {
    throw notAcceptable(`only the following media types are accepted: ${available.join(', ')}`)
  }
  throw notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`)
}

/** The clauses of an `Accept` header in order of preference. */
export function parseClause(text: string): Accepted {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  const parameters = new Map(
    rest.map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at).toLowerCase(), part.slice(at + 1)] as const
    }),
  )
  return { type: type.toLowerCase(), parameters }
}

function formOf({ type, parameters }: Accepted, isWatch: boolean): AnswerForm | undefined {
  const mediaType = mediaTypeFor(type)
  if (mediaType === undefined || (mediaType === 'application/yaml' && isWatch)) return undefined
  const as = parameters.get('as')
  if (as === undefined) return { ...plain, mediaType }
  const version = parameters.get('v') ?? ''
  const isKnown = parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1')
  if (!isKnown) return undefined
  if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
    return { mediaType, as, version }
  }
  return undefined
}

function mediaTypeFor(type: string): AnswerForm['mediaType'] | undefined {
  if (type === '*/*' || type === 'application/*' || type === 'application/json') return 'application/json'
  return type === 'application/yaml' ? 'application/yaml' : undefined
}
