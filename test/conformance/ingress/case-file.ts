// The formats of the ingress suites as types, and the keys they know. Nothing here runs anything.

import type { KubeObject } from '@kubewire/kube-model'
import type { CaseFile } from '../area.ts'

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

/** Keys that the formats do not have. */
export function unknownIngressKeys(file: CaseFile): readonly string[] {
  return unknownIn(file.data, caseKeys, '')
}

/** Known keys; `true` takes anything, an array describes the elements of a list. */
type Keys = true | { readonly [key: string]: Keys } | readonly [Keys]

const requestKeys: Keys = {
  ...keys('method scheme host path headers body bodySize client repeat jar sni clientCert rawPath http tcp udp send'),
  expect: {
    ...keys(
      'status notStatus backend location responseHeaders headers absentHeaders upstreamLacks notSeen distribution',
    ),
    ...keys('statuses sameBackend tlsSubject httpVersion bodyLacks locationLacks reply refused'),
    upstream: keys('path headers absentHeaders'),
    seen: [keys('backend method path headers body bodyEmpty')],
    setCookie: [keys('name path domain maxAge sameSite secure httpOnly has absent')],
  },
}

const caseKeys: Keys = {
  ...keys('scenario about flags configMap env cluster deviation platform note beyondOriginal'),
  certificates: [keys('name cn dns days org ca issuer client')],
  backends: [keys('name address port role')],
  requests: [requestKeys],
  steps: [{ ...keys('apply configMap reload'), delete: [keys('kind namespace name')], requests: [requestKeys] }],
  config: {
    ...keys('contains absent absentDirectives serverOrder valid maxBytes'),
    blocks: [keys('server location contains absent')],
  },
  admission: [keys('object reject reason rawBody rawBodySize httpStatus')],
  metrics: [keys('has subset type absent')],
  status: [keys('kind namespace name loadBalancer')],
  flagErrors: [keys('flags message')],
  safety: keys('outcome apiServerAccepts'),
}

function keys(names: string): { readonly [key: string]: Keys } {
  return Object.fromEntries(names.split(' ').map((name) => [name, true as const]))
}

function unknownIn(value: unknown, known: Keys, path: string): string[] {
  if (known === true || value === null || typeof value !== 'object') return []
  if (Array.isArray(known)) {
    const list = Array.isArray(value) ? value : [value]
    return list.flatMap((item, at) => unknownIn(item, known[0] as Keys, `${path}[${at}]`))
  }
  const table = known as { readonly [key: string]: Keys }
  return Object.entries(value).flatMap(([key, inner]) => {
    const where = path === '' ? key : `${path}.${key}`
    const next = Object.hasOwn(table, key) ? table[key] : undefined
    return next === undefined ? [where] : unknownIn(inner, next, where)
  })
}
