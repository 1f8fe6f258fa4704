// Puts objects and raw bodies to the admission webhook of the controller.

import { randomUUID } from 'node:crypto'
import https from 'node:https'
import type { KubeObject } from '@kubewire/kube-model'
import { type AdmissionSpec, holds } from '@kubewire/nginx-gen/cases'

interface WebhookAnswer {
  readonly status: number | undefined
  readonly body: string
}

/** What is wrong with the webhook's answer to one review, `undefined` when nothing is. */
export async function admissionComplaint(port: number, spec: AdmissionSpec): Promise<string | undefined> {
  if (spec.object !== undefined) return objectComplaint(port, spec.object, spec)
  const body = spec.rawBodySize === undefined ? Buffer.from(spec.rawBody ?? '') : Buffer.alloc(spec.rawBodySize, ' ')
  const answer = await post(port, body)
  const wanted = [spec.httpStatus ?? []].flat()
  return wanted.includes(answer.status ?? 0)
    ? undefined
    : `expected status ${wanted.join(' or ')}, found ${answer.status} ${answer.body}`
}

async function objectComplaint(port: number, given: KubeObject, spec: AdmissionSpec): Promise<string | undefined> {
  const object = { ...given, metadata: { ...given.metadata, uid: given.metadata?.uid ?? randomUUID() } }
  const uid = randomUUID()
  const { namespace = '', name = '' } = object.metadata
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid,
      kind: { group: 'networking.k8s.io', version: 'v1', kind: given.kind ?? 'Ingress' },
      resource: { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' },
      operation: 'CREATE',
      namespace,
      name,
      object,
    },
  }
  const answer = await post(port, Buffer.from(JSON.stringify(review)))
  const response = responseOf(answer.body)
  if (response === undefined) return `expected a review, found status ${answer.status} ${answer.body.slice(0, 200)}`
  if (response.uid !== uid) return `expected uid ${uid}, found ${response.uid}`
  if (spec.reject === 'either') return undefined
  const message = response.status?.message ?? ''
  if (response.allowed === spec.reject) {
    return spec.reject ? 'expected a refusal, it was allowed' : `expected to be allowed, refused with: ${message}`
  }
  if (spec.reject && spec.reason !== undefined && !holds(spec.reason, message)) {
    return `expected the reason ${spec.reason}, found ${JSON.stringify(message)}`
  }
  return undefined
}

interface ReviewResponse {
  readonly uid?: string
  readonly allowed?: boolean
  readonly status?: { readonly message?: string }
}

function responseOf(body: string): ReviewResponse | undefined {
  try {
    return (JSON.parse(body) as { readonly response?: ReviewResponse }).response
  } catch {
    return undefined
  }
}

function post(port: number, body: Buffer): Promise<WebhookAnswer> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const request = https.request(
      {
        host: '127.0.0.1',
        port,
        path: '/networking/v1/ingresses',
        method: 'POST',
        headers,
        rejectUnauthorized: false,
        agent: false,
        timeout: 20_000,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => {})
        response.on('close', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }))
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer within 20 s')))
    request.on('error', (error) => resolve({ status: undefined, body: error.message }))
    // Refused early: the server closes while we still send.
    request.on('response', () => request.destroyed || undefined)
    request.end(body)
  })
}
