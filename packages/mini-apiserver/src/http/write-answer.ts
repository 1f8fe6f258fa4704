// Writes an answer: transforms (table, metadata), JSON or YAML, pretty printing, compression, headers.

import type { OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { printYaml } from '@kubewire/kube-model/manifest'
import type { ApiObject } from '../api-object.ts'
import { notAcceptable } from '../api-status.ts'
import type { JsonObject } from '../json.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import { listDocument, type ObjectList } from '../verbs/list.ts'
import type { Answer, AnswerHeaders } from './answer.ts'
import type { AnswerForm } from './negotiate.ts'
import { serialise, serialiseItem } from './serialise.ts'
import { type IncludeObject, metadataOf, tableOf } from './table.ts'

/** A finished response. */
export interface RenderedAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Uint8Array
}

/** What of the request shapes the response. */
export interface RenderOptions {
  readonly form: AnswerForm
  readonly include: IncludeObject
  readonly isPretty: boolean
  readonly acceptsGzip: boolean
  readonly nowMs: number
}

/** Bodies over this many bytes are compressed when the client offers it (apiserver `responsewriters`). */
const gzipThresholdBytes: number = 128 * 1024

/** Renders anything but a watch. */
export function renderAnswer(answer: Exclude<Answer, { kind: 'watch' }>, options: RenderOptions): RenderedAnswer {
  switch (answer.kind) {
    case 'text':
      return finish(answer.status, { 'content-type': 'text/plain; charset=utf-8', ...answer.headers }, answer.text)
    case 'empty':
      return finish(answer.status, answer.headers ?? {}, '')
    case 'document':
      return renderDocument(answer.status, answer.document, answer.headers ?? {}, options)
    case 'object':
      return renderDocument(
        answer.status,
        objectDocument(answer.object, answer.of, options),
        answer.headers ?? {},
        options,
      )
    case 'list':
      return renderList(answer.list, options)
  }
}

/** The JSON of a document the way the client wants it; with a line end unless pretty. */
function printJson(document: JsonObject, isPretty: boolean): string {
  return isPretty ? JSON.stringify(document, null, 2) : `${JSON.stringify(document)}\n`
}

/** Whether the body is to be indented: asked for, or the client is a person's (apiserver `isPrettyPrint`). */
export function wantsPretty(pretty: string | null, userAgent: string): boolean {
  if (pretty !== null) return pretty === '1' || pretty === 'true'
  return /^(curl|Wget|Mozilla)/.test(userAgent)
}

function objectDocument(object: ApiObject, kind: Parameters<typeof tableOf>[0], options: RenderOptions): JsonObject {
  const { as, version } = options.form
  if (as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' }
    return tableOf(kind, [object], metadata, { ...options, version, hasColumns: true })
  }
  if (as === 'PartialObjectMetadataList') throw wrongForm('PartialObjectMetadataList', 'is not a list')
  return as === 'PartialObjectMetadata' ? metadataOf(object, version) : object
}

// The usual list is put together from the texts of its items.
function renderList(list: ObjectList, options: RenderOptions): RenderedAnswer {
  const { form, isPretty, acceptsGzip } = options
  const isUsual = form.as === 'object' && form.mediaType === 'application/json' && !isPretty
  if (!isUsual) return renderDocument(200, listForm(list, options), {}, options)
  const { kind, metadata, items } = list
  const head = JSON.stringify({ kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata }).slice(0, -1)
  const texts = items.map(kind.isCustom ? serialise : serialiseItem)
  return finish(200, { 'content-type': 'application/json' }, `${head},"items":[${texts.join(',')}]}\n`, acceptsGzip)
}

function listForm(list: ObjectList, options: RenderOptions): JsonObject {
  const { as, version } = options.form
  const { kind, items, metadata } = list
  if (as === 'Table') return tableOf(kind, items, metadata, { ...options, version, hasColumns: true })
  if (as === 'PartialObjectMetadata') throw wrongForm('PartialObjectMetadata', `is a list (${kind.listKind})`)
  if (as === 'PartialObjectMetadataList') {
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${version}`,
      metadata,
      items: items.map((item) => metadataOf(item, version)),
    }
  }
  return listDocument(list)
}

function wrongForm(asked: string, but: string): Error {
  return notAcceptable(`you requested ${asked}, but the requested object ${but}`)
}

function renderDocument(
  status: number,
  document: JsonObject,
  headers: AnswerHeaders,
  { form, isPretty, acceptsGzip }: RenderOptions,
): RenderedAnswer {
  const isYaml = form.mediaType === 'application/yaml'
  const text = isYaml ? printYaml(document) : printJson(document, isPretty)
  return finish(status, { 'content-type': form.mediaType, ...headers }, text, acceptsGzip)
}

function finish(status: number, headers: AnswerHeaders, text: string, acceptsGzip = false): RenderedAnswer {
  const all: OutgoingHttpHeaders = { 'cache-control': 'no-cache, private' }
  for (const [name, value] of Object.entries(headers)) all[name] = typeof value === 'string' ? value : [...value]
  const raw = Buffer.from(text, 'utf8')
  if (!acceptsGzip || raw.length <= gzipThresholdBytes) return { status, headers: all, body: raw }
  const vary = typeof all['vary'] === 'string' ? `${all['vary']}, Accept-Encoding` : 'Accept-Encoding'
  return { status, headers: { ...all, 'content-encoding': 'gzip', vary }, body: gzipSync(raw, { level: 1 }) }
}
