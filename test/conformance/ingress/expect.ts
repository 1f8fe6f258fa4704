// Compares the answers of one probe with what the case expects. Pure: answers and notes of backends in, complaints out.

import { type CookieSpec, type ExpectSpec, fits, holds, type SeenSpec } from '@kubewire/nginx-gen/cases'
import type { SeenRequest } from './backends.ts'
import type { Answer } from './client.ts'

/** What a probe gave: one answer per repetition, and what the backends noted meanwhile. */
export interface ProbeFacts {
  readonly answers: readonly Answer[]
  readonly seen: ReadonlyMap<string, readonly SeenRequest[]>
  readonly certificates: ReadonlyMap<string, { readonly cert: string }>
}

/** What does not fit, in words; empty when all fits. */
export function complaintsOf(expect: ExpectSpec, facts: ProbeFacts): readonly string[] {
  const perAnswer = new Set(facts.answers.flatMap((answer) => answerComplaints(expect, answer)))
  return [...perAnswer, ...countComplaints(expect, facts.answers), ...seenComplaints(expect, facts)].slice(0, 8)
}

/** The same for header values, where a single word between slashes is an expression, too: `/nginx/`. */
function fitsHeader(wanted: string, found: string | undefined): boolean {
  const word = /^\/([\w.-]+)\/$/.exec(wanted)?.[1]
  return fits(wanted, found) || (word !== undefined && found !== undefined && new RegExp(word).test(found))
}

function answerComplaints(expect: ExpectSpec, answer: Answer): string[] {
  const complaints: string[] = []
  const want = (what: string, wanted: unknown, found: string | undefined, ok = fits(wanted, found)): void => {
    if (!ok)
      complaints.push(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found ?? answer.error)}`)
  }
  const echo = echoOf(answer)
  if (expect.status !== undefined && expect.status !== null)
    want('status', expect.status, String(answer.status), isStatus(expect.status, answer.status))
  const forbidden = [expect.notStatus ?? []].flat()
  if (forbidden.includes(answer.status ?? 0)) complaints.push(`status: ${answer.status} is forbidden`)
  if (expect.backend !== undefined) want('backend', expect.backend, echo?.backend)
  if (expect.location !== undefined) want('location', expect.location, answer.headers['location'])
  for (const [name, value] of Object.entries({ ...expect.responseHeaders, ...expect.headers })) {
    const found = answer.headers[name.toLowerCase()]
    const isRight = fitsHeader(value, found) || (name.toLowerCase() === 'server' && isSameServer(value, found))
    want(`header ${name}`, value, found, isRight)
  }
  for (const name of expect.absentHeaders ?? []) {
    const found = answer.headers[name.toLowerCase()]
    if (found !== undefined) complaints.push(`header ${name}: expected none, found ${JSON.stringify(found)}`)
  }
  if (expect.tlsSubject !== undefined)
    want('tlsSubject', expect.tlsSubject, answer.tlsSubject, holds(expect.tlsSubject, answer.tlsSubject))
  if (expect.httpVersion !== undefined) want('httpVersion', expect.httpVersion, answer.httpVersion.replace(/\.0$/, ''))
  for (const text of [expect.bodyLacks ?? []].flat()) {
    if (answer.body.includes(text)) complaints.push(`body: must not contain ${JSON.stringify(text)}`)
  }
  for (const text of [expect.locationLacks ?? []].flat()) {
    if (answer.headers['location']?.includes(text))
      complaints.push(`location: must not contain ${JSON.stringify(text)}`)
  }
  if (expect.upstream !== undefined) complaints.push(...upstreamComplaints(expect.upstream, echo, answer))
  for (const [name, text] of Object.entries(expect.upstreamLacks ?? {})) {
    if (echo?.headers[name.toLowerCase()]?.includes(text))
      complaints.push(`upstream header ${name}: must not contain ${JSON.stringify(text)}`)
  }
  for (const cookie of expect.setCookie ?? []) complaints.push(...cookieComplaints(cookie, answer.cookies))
  return complaints
}

// The recorder ran another nginx: its version number is not what a case is about.
function isSameServer(wanted: string, found: string | undefined): boolean {
  return found?.replace(/[\d.]+$/, '') === wanted.replace(/[\d.]+$/, '')
}

function isStatus(wanted: NonNullable<ExpectSpec['status']>, found: number | undefined): boolean {
  if (typeof wanted === 'string')
    return (
      found !== undefined && (fits(wanted, String(found)) || new RegExp(wanted.replaceAll('/', '')).test(String(found)))
    )
  return [wanted].flat().includes(found ?? 0)
}

interface Echo {
  readonly backend: string
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
}

function echoOf(answer: Answer): Echo | undefined {
  try {
    const echo = JSON.parse(answer.body) as Echo
    return typeof echo === 'object' && echo !== null && typeof echo.backend === 'string' ? echo : undefined
  } catch {
    return undefined
  }
}

function upstreamComplaints(
  wanted: NonNullable<ExpectSpec['upstream']>,
  echo: Echo | undefined,
  answer: Answer,
): string[] {
  if (echo === undefined) return [`upstream: expected an echo, found status ${answer.status} ${answer.error ?? ''}`]
  const complaints: string[] = []
  if (wanted.path !== undefined && !fits(wanted.path, echo.path)) {
    complaints.push(`upstream path: expected ${JSON.stringify(wanted.path)}, found ${JSON.stringify(echo.path)}`)
  }
  complaints.push(...headerComplaints('upstream header', wanted.headers ?? {}, echo.headers))
  for (const name of wanted.absentHeaders ?? []) {
    const found = echo.headers[name.toLowerCase()]
    if (found !== undefined) complaints.push(`upstream header ${name}: expected none, found ${JSON.stringify(found)}`)
  }
  return complaints
}

function headerComplaints(
  what: string,
  wanted: { readonly [name: string]: string },
  found: { readonly [name: string]: string },
): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => !fitsHeader(value, found[name.toLowerCase()]))
    .map(
      ([name, value]) =>
        `${what} ${name}: expected ${JSON.stringify(value)}, found ${JSON.stringify(found[name.toLowerCase()])}`,
    )
}

function cookieComplaints(wanted: CookieSpec, cookies: readonly string[]): string[] {
  const text = cookies.find((cookie) => cookie.startsWith(`${wanted.name}=`))
  if (text === undefined) return [`cookie ${wanted.name}: expected one, found ${JSON.stringify(cookies)}`]
  const attributes = new Map<string, string>()
  for (const part of text.split(';').slice(1)) {
    const [name = '', ...value] = part.trim().split('=')
    attributes.set(name.toLowerCase(), value.join('='))
  }
  const checks: readonly (readonly [name: string, isRight: boolean])[] = [
    ['Path', wanted.path === undefined || attributes.get('path') === wanted.path],
    ['Domain', wanted.domain === undefined || attributes.get('domain') === wanted.domain],
    ['Max-Age', wanted.maxAge === undefined || attributes.get('max-age') === String(wanted.maxAge)],
    ['SameSite', wanted.sameSite === undefined || attributes.get('samesite') === wanted.sameSite],
    ['Secure', wanted.secure === undefined || attributes.has('secure') === wanted.secure],
    ['HttpOnly', wanted.httpOnly === undefined || attributes.has('httponly') === wanted.httpOnly],
    ...(wanted.has ?? []).map((name) => [name, attributes.has(name.toLowerCase())] as const),
    ...(wanted.absent ?? []).map((name) => [`no ${name}`, !attributes.has(name.toLowerCase())] as const),
  ]
  return checks
    .filter(([, isRight]) => !isRight)
    .map(([name]) => `cookie ${wanted.name}: ${name} is not as expected in ${text}`)
}

// Over all repetitions.
function countComplaints(expect: ExpectSpec, answers: readonly Answer[]): string[] {
  const complaints: string[] = []
  const backends = answers.map((answer) => echoOf(answer)?.backend ?? '')
  if (expect.sameBackend === true && new Set(backends).size !== 1) {
    complaints.push(`sameBackend: expected one, found ${[...new Set(backends)].join(', ')}`)
  }
  const between = (
    what: string,
    wanted: { readonly [key: string]: readonly [number, number] },
    found: readonly string[],
  ): void => {
    for (const [key, [least, most]] of Object.entries(wanted)) {
      const count = found.filter((one) => one === key).length
      if (count < least || count > most) complaints.push(`${what} ${key}: expected ${least} to ${most}, found ${count}`)
    }
  }
  between('distribution', expect.distribution ?? {}, backends)
  between(
    'statuses',
    expect.statuses ?? {},
    answers.map((answer) => String(answer.status)),
  )
  return complaints
}

function seenComplaints(expect: ExpectSpec, { seen }: ProbeFacts): string[] {
  const complaints: string[] = []
  for (const name of expect.notSeen ?? []) {
    const last = seen.get(name)?.at(-1)
    if (last !== undefined) complaints.push(`notSeen: ${name} was reached with ${last.method} ${last.path}`)
  }
  for (const wanted of expect.seen ?? []) {
    const last = seen.get(wanted.backend)?.at(-1)
    if (last === undefined) complaints.push(`seen: ${wanted.backend} was not reached`)
    else complaints.push(...oneSeen(wanted, last))
  }
  return complaints
}

function oneSeen(wanted: SeenSpec, last: SeenRequest): string[] {
  const what = `seen ${wanted.backend}`
  const complaints = headerComplaints(`${what} header`, wanted.headers ?? {}, last.headers)
  for (const key of ['method', 'path', 'body'] as const) {
    const text = wanted[key]
    if (text !== undefined && !fits(text, last[key])) {
      complaints.push(`${what} ${key}: expected ${JSON.stringify(text)}, found ${JSON.stringify(last[key])}`)
    }
  }
  if (wanted.bodyEmpty === true && last.body !== '') complaints.push(`${what} body: expected none`)
  return complaints
}
