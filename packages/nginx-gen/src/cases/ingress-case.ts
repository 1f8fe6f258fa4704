// The formats of the ingress suites as types, and the keys they know. Nothing here runs anything.

import type { KubeObject } from '@kubewire/kube-model'
import { anyOf, type CaseKeys } from '@kubewire/kube-model/cases'

/** One scenario. */
export interface IngressCase {
  readonly flags?: readonly string[]
  readonly configMap?: { readonly [key: string]: string }
  readonly certificates?: readonly CertificateSpec[]
  readonly env?: { readonly [name: string]: string }
  readonly backends?: readonly BackendSpec[]
  readonly cluster?: readonly KubeObject[]
  readonly requests?: readonly RequestSpec[]
  readonly steps?: readonly StepSpec[]
  readonly config?: ConfigSpec
  readonly admission?: readonly AdmissionSpec[] | FieldAdmissionSpec
  readonly metrics?: readonly MetricSpec[]
  readonly status?: readonly StatusSpec[]
  readonly flagErrors?: readonly { readonly flags: readonly string[]; readonly message: string }[]
  readonly safety?: { readonly outcome?: string; readonly apiServerAccepts?: boolean }
}

export interface CertificateSpec {
  readonly name: string
  readonly cn?: string
  readonly dns?: readonly string[]
  readonly days?: number
  readonly org?: string
  readonly ca?: boolean
  readonly issuer?: string
  readonly client?: boolean
}

export interface BackendSpec {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly role?: 'echo' | 'gate' | 'refuse' | 'tcp-echo' | 'udp-echo'
}

export interface RequestSpec {
  readonly method?: string
  readonly scheme?: 'http' | 'https'
  readonly host?: string
  readonly path?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  readonly bodySize?: number
  readonly client?: string
  readonly repeat?: number
  readonly jar?: string
  readonly sni?: string
  readonly clientCert?: string
  readonly rawPath?: boolean
  readonly http?: string
  readonly tcp?: number
  readonly udp?: number
  readonly send?: string
  readonly expect?: ExpectSpec
}

type Texts = { readonly [name: string]: string }

export interface ExpectSpec {
  readonly status?: number | readonly number[] | string | null
  readonly notStatus?: readonly number[] | number
  readonly backend?: string
  readonly location?: string
  readonly responseHeaders?: Texts
  /** The same key in the field suite. */
  readonly headers?: Texts
  readonly absentHeaders?: readonly string[]
  readonly upstream?: { readonly path?: string; readonly headers?: Texts; readonly absentHeaders?: readonly string[] }
  readonly upstreamLacks?: Texts
  readonly seen?: readonly SeenSpec[]
  readonly notSeen?: readonly string[]
  readonly distribution?: { readonly [backend: string]: readonly [number, number] }
  readonly statuses?: { readonly [status: string]: readonly [number, number] }
  readonly sameBackend?: boolean
  readonly setCookie?: readonly CookieSpec[]
  readonly tlsSubject?: string
  readonly httpVersion?: string
  readonly bodyLacks?: string | readonly string[]
  readonly locationLacks?: string | readonly string[]
  readonly reply?: string
  readonly refused?: boolean
}

export interface SeenSpec {
  readonly backend: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Texts
  readonly body?: string
  readonly bodyEmpty?: boolean
}

export interface CookieSpec {
  readonly name: string
  readonly path?: string
  readonly domain?: string
  readonly maxAge?: number
  readonly sameSite?: string
  readonly secure?: boolean
  readonly httpOnly?: boolean
  readonly has?: readonly string[]
  readonly absent?: readonly string[]
}

export interface StepSpec {
  readonly apply?: readonly KubeObject[]
  readonly delete?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[]
  readonly configMap?: Texts
  readonly reload?: boolean
  readonly requests?: readonly RequestSpec[]
}

export interface ConfigSpec {
  readonly contains?: readonly string[]
  readonly absent?: readonly string[]
  readonly blocks?: readonly BlockSpec[]
  readonly absentDirectives?: readonly string[]
  readonly serverOrder?: readonly string[]
  readonly valid?: boolean
  readonly maxBytes?: number
}

export interface BlockSpec {
  readonly server: string
  readonly location?: string
  readonly contains?: readonly string[]
  readonly absent?: readonly string[]
}

export interface AdmissionSpec {
  readonly object?: KubeObject
  readonly reject?: boolean | 'either'
  readonly reason?: string
  readonly rawBody?: string
  readonly rawBodySize?: number
  readonly httpStatus?: number | readonly number[]
}

/** Names an object of the cluster: `Kind namespace/name`. */
export interface FieldAdmissionSpec {
  readonly object: string
  readonly reject?: boolean
  readonly reason?: string
}

export interface MetricSpec {
  readonly has?: string
  readonly subset?: boolean
  readonly type?: string
  readonly absent?: string
}

export interface StatusSpec {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly loadBalancer: readonly unknown[]
}

/** Whether a file's keys are of the ingress formats. */
export function isIngressCase(data: Readonly<Record<string, unknown>>): boolean {
  if ('queries' in data || 'flows' in data || 'corefile' in data) return false
  // `config` of a proxy case describes a node; health check cases have `requests` too.
  if (typeof data['config'] === 'object' && data['config'] !== null && 'nodeName' in data['config']) return false
  const own = ['backends', 'requests', 'configMap', 'certificates', 'admission', 'flagErrors']
  return 'cluster' in data && own.some((key) => key in data)
}

const requestKeys: CaseKeys = {
  ...anyOf('method scheme host path headers body bodySize client repeat jar sni clientCert rawPath http tcp udp send'),
  expect: {
    ...anyOf(
      'status notStatus backend location responseHeaders headers absentHeaders upstreamLacks notSeen distribution',
    ),
    ...anyOf('statuses sameBackend tlsSubject httpVersion bodyLacks locationLacks reply refused'),
    upstream: anyOf('path headers absentHeaders'),
    seen: anyOf('backend method path headers body bodyEmpty'),
    setCookie: anyOf('name path domain maxAge sameSite secure httpOnly has absent'),
  },
}

/** The keys of a file, for `unknownKeys`. */
export const ingressCaseKeys: CaseKeys = {
  ...anyOf('scenario about flags configMap env cluster deviation platform note beyondOriginal'),
  certificates: anyOf('name cn dns days org ca issuer client'),
  backends: anyOf('name address port role'),
  requests: requestKeys,
  steps: { ...anyOf('apply configMap reload'), delete: anyOf('kind namespace name'), requests: requestKeys },
  config: {
    ...anyOf('contains absent absentDirectives serverOrder valid maxBytes'),
    blocks: anyOf('server location contains absent'),
  },
  admission: anyOf('object reject reason rawBody rawBodySize httpStatus'),
  metrics: anyOf('has subset type absent'),
  status: anyOf('kind namespace name loadBalancer'),
  flagErrors: anyOf('flags message'),
  safety: anyOf('outcome apiServerAccepts'),
}

/** A key pair as PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}
