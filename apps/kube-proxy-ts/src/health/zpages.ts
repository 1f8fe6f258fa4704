// `/flagz` and `/statusz` of the metrics server: how the process was started, for people, and for programs that ask for a
// version. Source: kube-proxy 1.37 as it answers (KEP-4828, KEP-4827); the separator of its lines is drawn at random there.

import type { EndpointReply, EndpointRequest } from '@kubewire/daemon-kit'
import { stringify } from 'yaml'

/** What both pages tell. */
export interface ProcessFacts {
  /** Every flag by name, as pflag prints its value. */
  readonly flags: ReadonlyMap<string, string>
  /** Milliseconds since the epoch. */
  readonly startMs: number
  /** For example `1.37.2`. */
  readonly version: string
  /** What the program runs on. */
  readonly runtime: string
}

const component = 'kube-proxy'
const versions = ['v1alpha1', 'v1beta1']
// COMPAT: this list is fixed in the original, whatever else the server offers.
const paths = ['/configz', '/flagz', '/healthz', '/metrics', '/proxyMode']
const note =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.'

/** Answers `/flagz`. */
export function flagzReply({ headers }: Pick<EndpointRequest, 'headers'>, { flags }: ProcessFacts): EndpointReply {
  const sorted = [...flags].sort(([a], [b]) => (a < b ? -1 : 1))
  return reply('Flagz', headers.accept, {
    lines: sorted.map(([name, value]) => `${name}:${value}`),
    fields: { flags: Object.fromEntries(sorted) },
  })
}

/** Answers `/statusz` at a time of day in milliseconds. */
export function statuszReply(
  { headers }: Pick<EndpointRequest, 'headers'>,
  { startMs, version, runtime }: ProcessFacts,
  nowMs: number,
): EndpointReply {
  const uptimeSeconds = Math.max(0, Math.floor((nowMs - startMs) / 1000))
  const emulationVersion = version.split('.').slice(0, 2).join('.')
  const lines = [
    '',
    `Started: ${printUnixDate(startMs)}`,
    `Up: ${printUptime(uptimeSeconds)}`,
    `Go version: ${runtime}`,
    `Binary version: ${version}`,
    `Emulation version: ${emulationVersion}`,
    `Paths: ${paths.join(' ')}`,
  ]
  const startTime = `${new Date(startMs).toISOString().slice(0, 19)}Z`
  const fields = { startTime, uptimeSeconds, goVersion: runtime, binaryVersion: version, emulationVersion, paths }
  return reply('Statusz', headers.accept, { lines, fields })
}

interface Page {
  readonly lines: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
}

function reply(kind: 'Flagz' | 'Statusz', accept: string | undefined, { lines, fields }: Page): EndpointReply {
  const form = chooseForm(kind, accept)
  const name = kind.toLowerCase()
  if (form === undefined) return notAcceptable(accept)
  if (form.kind === 'text') return { body: `\n${component} ${name}\n${note}\n${lines.join('\n')}\n` }
  const { mediaType, version } = form
  const deprecation = `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`
  return {
    contentType: `${mediaType};g=config.k8s.io;v=${version};as=${kind}`,
    ...(version === 'v1alpha1' ? { headers: { Warning: deprecation } } : {}),
    body: print(mediaType, { kind, apiVersion: `config.k8s.io/${version}`, metadata: { name: component }, ...fields }),
  }
}

function print(mediaType: string, value: Readonly<Record<string, unknown>>): string {
  if (mediaType === 'application/yaml') return stringify(value, { sortMapEntries: true, indentSeq: false })
  return JSON.stringify(value, undefined, 2)
}

type Form =
  | { readonly kind: 'text' }
  | { readonly kind: 'object'; readonly mediaType: string; readonly version: string }

// COMPAT: `application/json` alone is refused: a program has to name kind and version.
function chooseForm(kind: string, accept = ''): Form | undefined {
  if (accept.trim() === '') return { kind: 'text' }
  const clauses = accept.split(',').map(parseClause)
  clauses.sort((a, b) => b.quality - a.quality)
  for (const { mediaType, parameters } of clauses) {
    if (mediaType === 'text/plain' || mediaType === 'text/*' || mediaType === '*/*') return { kind: 'text' }
    if (mediaType !== 'application/json' && mediaType !== 'application/yaml') continue
    const version = parameters.get('v') ?? ''
    const isAsked = parameters.get('as') === kind && parameters.get('g') === 'config.k8s.io'
    if (isAsked && versions.includes(version)) return { kind: 'object', mediaType, version }
  }
  return undefined
}

function parseClause(clause: string) {
  const [mediaType = '', ...rest] = clause.split(';').map((word) => word.trim())
  const parameters = new Map(rest.map((word): [string, string] => [word.split('=')[0] ?? '', word.split('=')[1] ?? '']))
  return { mediaType, parameters, quality: Number(parameters.get('q') ?? 1) }
}

function notAcceptable(accept = ''): EndpointReply {
  const contentType = accept.startsWith('application/yaml') ? 'application/yaml' : 'application/json'
  const message = 'only the following media types are accepted: application/json, application/yaml, text/plain'
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message }
  return { status: 406, contentType, body: print(contentType, { ...status, reason: 'NotAcceptable', code: 406 }) }
}

/** Go's `time.UnixDate` in UTC: `Mon Jan  2 15:04:05 UTC 2006`. */
function printUnixDate(ms: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(ms)
    .toUTCString()
    .replace(',', '')
    .split(' ')
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`
}

function printUptime(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${Math.floor(seconds / 3600)} hr ${two((seconds / 60) % 60)} min ${two(seconds % 60)} sec`
}
