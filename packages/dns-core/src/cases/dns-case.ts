// The format of DNS case files (written, recorded and field suites share it): keys, defaults, placeholders.

import type { KubeObject } from '@kubewire/kube-model'
import { anyOf, type CaseKeys } from '@kubewire/kube-model/cases'

/** What a reply must look like; only the keys present are compared. */
export interface ExpectedReply {
  readonly rcode?: string
  readonly aa?: boolean
  readonly tc?: boolean
  readonly answer?: readonly string[]
  readonly authority?: readonly string[]
  readonly additional?: readonly string[]
  readonly ordered?: boolean
  readonly answerCount?: number
  readonly serial?: 'increased' | 'same'
}

/** One question. */
export interface DnsCaseQuery {
  readonly q: string
  readonly transport?: 'udp' | 'tcp'
  readonly edns?: {
    readonly udpSize?: number
    readonly do?: boolean
    readonly version?: number
    /** Options as `CODE:HEX`; not a key of case files. */
    readonly options?: readonly string[]
  }
  readonly client?: string
  readonly unsure?: boolean
  readonly expect: ExpectedReply
}

/** One change of the cluster with questions after it. */
export interface DnsCaseStep {
  readonly delete?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[]
  readonly apply?: readonly KubeObject[]
  readonly queries?: readonly DnsCaseQuery[]
}

/** One file. */
export interface DnsCase {
  readonly cluster: readonly KubeObject[]
  readonly corefile: string
  readonly files: { readonly [name: string]: string }
  readonly env: { readonly [name: string]: string }
  readonly serverAddresses: readonly string[]
  readonly noApiServer: boolean
  readonly queries: readonly DnsCaseQuery[]
  readonly steps: readonly DnsCaseStep[]
}

const queryKeys: CaseKeys = {
  ...anyOf('q transport client unsure note'),
  edns: anyOf('udpSize do version'),
  expect: anyOf('rcode aa tc answer authority additional ordered answerCount serial'),
}

/** The keys of a file, for `unknownKeys`. */
export const dnsCaseKeys: CaseKeys = {
  ...anyOf('scenario about note unsure beyondOriginal cluster corefile files env serverAddresses noApiServer'),
  queries: queryKeys,
  steps: { ...anyOf('about apply delete'), queries: queryKeys },
}

const defaultCorefile = `.:{{port}} {
    errors
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        kubeconfig {{kubeconfig}}
        pods insecure
    }
}
`

/** Whether a file is a DNS case: questions as `q`, in the file or in its steps. */
export function isDnsCase(data: Readonly<Record<string, unknown>>): boolean {
  const lists = [data['queries'], ...asList(data['steps']).map((step) => asRecord(step)['queries'])]
  return lists.some((list) => asList(list).some((query) => typeof asRecord(query)['q'] === 'string'))
}

/** Reads a file; keys are checked with `dnsCaseKeys`. */
export function readDnsCase(data: Readonly<Record<string, unknown>>): DnsCase {
  const of = <T>(key: string, fallback: T): T => (data[key] as T | undefined) ?? fallback
  return {
    cluster: of<readonly KubeObject[]>('cluster', []),
    corefile: of('corefile', defaultCorefile),
    files: of('files', {}),
    env: of('env', {}),
    serverAddresses: of<readonly string[]>('serverAddresses', []),
    noApiServer: of('noApiServer', false),
    queries: of<readonly DnsCaseQuery[]>('queries', []),
    steps: of<readonly DnsCaseStep[]>('steps', []),
  }
}

/** Puts values in the places of a Corefile; nothing but the known placeholders is touched. */
export function fillCorefile(
  corefile: string,
  values: { readonly port: number; readonly port2: number; readonly kubeconfig: string; readonly dir: string },
): string {
  const texts: { readonly [name: string]: string } = {
    port: String(values.port),
    port2: String(values.port2),
    kubeconfig: values.kubeconfig,
    dir: values.dir,
  }
  return corefile.replaceAll(/\{\{(port2?|kubeconfig|dir)\}\}/g, (_, name: string) => texts[name] ?? '')
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
