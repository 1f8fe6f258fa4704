// The admission webhook: AdmissionReview in, answer out; the decision is the library's.
// Source: ingress-nginx 1.15 internal/admission/controller; reference: admission webhook.

import { readFile } from 'node:fs/promises'
import {
  type EndpointReply,
  type Endpoints,
  type Log,
  serveEndpoints,
  systemClock,
  watchFile,
} from '@kubewire/daemon-kit'
import type { ClusterSnapshot, Ingress } from '@kubewire/kube-model'
import { type Admission, admitIngress, type ControllerOptions } from '@kubewire/nginx-gen'

/** What the webhook works with. */
export interface AdmissionParts {
  /** `address:port`, `:port`. */
  readonly listen: string
  readonly certificateFile: string
  readonly keyFile: string
  readonly snapshot: () => ClusterSnapshot
  /** Waits for Secrets that were asked for the first time; whether to ask again. */
  readonly settle: () => Promise<boolean>
  readonly options: Partial<ControllerOptions>
  readonly onAnswer: (outcome: 'success' | 'error', namespace: string, name: string, cost: AdmissionCost) => void
  readonly log: Log
}

/** What an answer took. */
export interface AdmissionCost {
  /** Ingresses that were looked at together with the new one. */
  readonly ingresses: number
  readonly checkSeconds: number
  readonly totalSeconds: number
  readonly configBytes: number
}

// CVE-2026-24514: larger reviews are refused before they are parsed.
const maxReviewBytes = 9 * 1024 * 1024

/** Starts listening; certificate and key are read again when they change. */
export async function serveAdmission(parts: AdmissionParts): Promise<Endpoints> {
  const [address = '', port = '8443'] = splitListen(parts.listen)
  const review = (body: string): Promise<EndpointReply> => answerReview(body, parts)
  const endpoints = await serveEndpoints({
    address,
    port: Number(port),
    tls: await readPair(parts),
    maxBodyBytes: maxReviewBytes,
    log: parts.log,
    routes: { '/': ({ body }) => review(body) },
  })
  const reload = watchFile(parts.certificateFile).subscribe(() => {
    readPair(parts).then(
      (pair) => endpoints.setTls(pair),
      (error: unknown) => parts.log.error('the certificate of the webhook cannot be read', { error: String(error) }),
    )
  })
  return {
    ...endpoints,
    close: () => {
      reload.unsubscribe()
      return endpoints.close()
    },
  }
}

interface Review {
  readonly apiVersion?: string
  readonly kind?: string
  readonly request?: {
    readonly uid?: string
    readonly kind?: { readonly group?: string; readonly kind?: string }
    readonly object?: Ingress
  }
}

async function answerReview(body: string, parts: AdmissionParts): Promise<EndpointReply> {
  const review = parseReview(body)
  const { uid, kind, object } = review?.request ?? {}
  if (review === undefined || uid === undefined || object === undefined || object === null) {
    return { status: 400, body: 'expected an AdmissionReview with a request\n' }
  }
  if (kind?.kind !== 'Ingress' || kind.group !== 'networking.k8s.io') {
    return reply(review, uid, {
      isAllowed: false,
      message: `expected an Ingress, got ${kind?.group}/${kind?.kind}`,
      warnings: [],
      configBytes: 0,
    })
  }
  const startMs = systemClock.nowMs()
  let checkedMs = startMs
  let admission = admitIngress(parts.snapshot(), object, parts.options)
  if (await parts.settle()) {
    checkedMs = systemClock.nowMs()
    admission = admitIngress(parts.snapshot(), object, parts.options)
  }
  const endMs = systemClock.nowMs()
  const { namespace = '', name = '' } = object.metadata ?? {}
  parts.onAnswer(admission.isAllowed ? 'success' : 'error', namespace, name, {
    ingresses: parts.snapshot().ingresses.size,
    checkSeconds: (endMs - checkedMs) / 1000,
    totalSeconds: (endMs - startMs) / 1000,
    configBytes: admission.configBytes,
  })
  if (!admission.isAllowed)
    parts.log.warn('Ingress refused', { ingress: `${namespace}/${name}`, reason: admission.message })
  return reply(review, uid, admission)
}

function parseReview(body: string): Review | undefined {
  try {
    const review = JSON.parse(body) as unknown
    return typeof review === 'object' && review !== null ? (review as Review) : undefined
  } catch {
    return undefined
  }
}

function reply(review: Review, uid: string, { isAllowed, message, warnings }: Admission): EndpointReply {
  const status = { status: 'Failure', message, reason: 'BadRequest', code: 400 }
  const response = {
    uid,
    allowed: isAllowed,
    ...(isAllowed ? {} : { status }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
  const body = JSON.stringify({
    apiVersion: review.apiVersion ?? 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response,
  })
  return { contentType: 'application/json', body }
}

async function readPair({
  certificateFile,
  keyFile,
}: AdmissionParts): Promise<{ readonly cert: string; readonly key: string }> {
  const [cert, key] = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { cert, key }
}

function splitListen(listen: string): readonly string[] {
  const colon = listen.lastIndexOf(':')
  return [listen.slice(0, colon).replaceAll(/[[\]]/g, ''), listen.slice(colon + 1)]
}
