// Runs the steps of one scenario against a server.

import type { ProbeResult } from '../area.ts'
import {
  type Address,
  type ApiQuestion,
  type ApiReply,
  ask,
  type Frame,
  type OpenWatch,
  openWatch,
} from './connection.ts'
import { fillIn, type Kept, mismatch } from './match.ts'
import { kindOfStep, type Scenario, type Step, type Words } from './scenario.ts'

/** A server to run scenarios against. */
export interface ApiTarget {
  readonly address: Address
  /** Bearer tokens by the word after `as`; `undefined` sends none. */
  readonly tokens: { readonly [as: string]: string | undefined }
  /** Makes the server forget its history; absent when it cannot be told to. */
  readonly compact?: () => Promise<void>
  close(): Promise<void>
}

interface Run {
  readonly target: ApiTarget
  readonly kept: Kept
  readonly watches: Map<string, OpenWatch>
}

/** Runs a scenario in a namespace of its own and returns one result per probe. */
export async function runScenario(target: ApiTarget, scenario: Scenario, id: string): Promise<ProbeResult[]> {
  const kept: Kept = new Map<string, string | number>([
    ['id', id],
    ['ns', `case-${id}`],
  ])
  const run: Run = { target, kept, watches: new Map() }
  const results: ProbeResult[] = []
  const namespace = { do: 'POST /api/v1/namespaces', body: { metadata: { name: `case-${id}` } } }
  const failed = await runStep(run, namespace)
  if (failed !== undefined) return [{ probe: 'namespace', outcome: 'failed', detail: failed }]
  for (const [i, step] of scenario.steps.entries()) {
    const isProbe = ['expect' in step, 'read' in step, 'quiet' in step, 'ended' in step].includes(true)
    const why = await runStep(run, step)
    if (isProbe || why !== undefined) results.push(resultOf(`steps[${i}] ${titleOf(step)}`, why))
  }
  for (const watch of run.watches.values()) watch.close()
  for (const step of scenario.cleanup) await runStep(run, step)
  await removeNamespace(run)
  return results
}

function resultOf(probe: string, why: string | undefined): ProbeResult {
  return why === undefined ? { probe, outcome: 'passed' } : { probe, outcome: 'failed', detail: why }
}

function titleOf(step: Step): string {
  const kind = kindOfStep(step) ?? ''
  return typeof step['name'] === 'string' ? step['name'] : `${kind} ${String(step[kind])}`
}

// Without a controller the namespace of the original stays until its `finalize` is written.
async function removeNamespace(run: Run): Promise<void> {
  const path = '/api/v1/namespaces/{{ns}}'
  await runStep(run, { do: `DELETE ${path}` })
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{ns}}' }, spec: { finalizers: [] } }
  await runStep(run, { do: `PUT ${path}/finalize`, body })
}

/** Runs one step; why it failed, or `undefined`. */
async function runStep(run: Run, step: Step): Promise<string | undefined> {
  try {
    switch (kindOfStep(step)) {
      case 'do':
        return await doStep(run, step)
      case 'open':
        return await openStep(run, step)
      case 'read':
        return await readStep(watchOf(run, step['read']), step, run.kept)
      case 'quiet':
        return await quietStep(watchOf(run, step['quiet']), step)
      case 'ended':
        return await endedStep(watchOf(run, step['ended']), step)
      case 'close':
        watchOf(run, step['close']).close()
        return undefined
      case 'compact':
        await run.target.compact?.()
        return undefined
      default:
        await sleep(Number(step['pause']) * 1000)
        return undefined
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function watchOf({ watches }: Run, name: unknown): OpenWatch {
  const watch = watches.get(String(name))
  if (!watch) throw new Error(`no watch called ${String(name)} is open`)
  return watch
}

async function doStep(run: Run, step: Step): Promise<string | undefined> {
  const untilMs = performance.now() + Number(step['retry'] ?? 0) * 1000
  for (;;) {
    const [method = '', path = ''] = String(step['do']).split(' ')
    const reply = await ask(run.target.address, questionOf(run, step, method, path))
    const why = replyMismatch(reply, (step['expect'] as Words | undefined) ?? {}, run.kept, 'expect' in step)
    if (why === undefined) {
      for (const [name, header] of Object.entries((step['saveHeader'] as Words | undefined) ?? {})) {
        run.kept.set(name, reply.headers[String(header).toLowerCase()] ?? '')
      }
      return undefined
    }
    if (performance.now() >= untilMs) return why
    await sleep(200)
  }
}

async function openStep(run: Run, step: Step): Promise<string | undefined> {
  const question = questionOf(run, step, 'GET', String(step['path']))
  const query = 'watch' in question.query ? question.query : { watch: 'true', ...question.query }
  const watch = await openWatch(run.target.address, {
    ...question,
    query: legacy(question.path) ? question.query : query,
  })
  run.watches.set(String(step['open']), watch)
  const expect = (step['expect'] as Words | undefined) ?? { status: 200 }
  return replyMismatch(watch.reply, expect, run.kept, true)
}

function legacy(path: string): boolean {
  return path.startsWith('/api/v1/watch/')
}

function questionOf(run: Run, step: Step, method: string, path: string): ApiQuestion {
  const { kept, target } = run
  const body = bodyOf(step, kept)
  const token = target.tokens[String(step['as'] ?? 'admin')]
  const headers: { [name: string]: string } = { accept: 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(fillIn((step['headers'] as Words | undefined) ?? {}, kept))) {
    if (value === null) delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = String(value)
  }
  return {
    method,
    path: fillIn(path, kept),
    query: fillIn((step['query'] as Words | undefined) ?? {}, kept),
    headers,
    body,
  }
}

function bodyOf(step: Step, kept: Kept): string | undefined {
  const body = step['body']
  if (body === undefined) return undefined
  if (typeof body === 'string') return fillIn(body, kept)
  const filled = structuredClone(fillIn(body, kept)) as { [key: string]: unknown }
  const fill = step['fill'] as { path: readonly string[]; size: number } | undefined
  if (fill) {
    let place = filled
    for (const key of fill.path.slice(0, -1)) place = place[key] as { [key: string]: unknown }
    place[fill.path.at(-1) ?? ''] = 'x'.repeat(fill.size)
  }
  return JSON.stringify(filled)
}

function replyMismatch(reply: ApiReply, expect: Words, kept: Kept, hasExpect: boolean): string | undefined {
  const { status, headers, body, text, seconds } = expect
  const ok = reply.status >= 200 && reply.status < 300
  if (status === undefined ? !hasExpect && !ok : reply.status !== status) {
    return `status: wanted ${String(status ?? '2xx')}, found ${reply.status}: ${reply.text.slice(0, 400)}`
  }
  for (const [name, wanted] of Object.entries((headers as Words | undefined) ?? {})) {
    const why = mismatch(wanted, reply.headers[name.toLowerCase()], kept, `header ${name}`)
    if (why !== undefined) return why
  }
  if (text !== undefined) {
    const why = mismatch(text, reply.text, kept, 'text')
    if (why !== undefined) return why
  }
  if (seconds !== undefined) {
    const [least = 0, most = 0] = seconds as readonly number[]
    if (reply.seconds < least || reply.seconds > most) return `seconds: wanted ${least}–${most}, took ${reply.seconds}`
  }
  return body === undefined ? undefined : mismatch(body, JSON.parse(reply.text), kept)
}

async function readStep(watch: OpenWatch, step: Step, kept: Kept): Promise<string | undefined> {
  const wanted = step['events'] as readonly Words[]
  const wantsBookmarks = step['bookmarks'] === true || wanted.some(({ type }) => type === 'BOOKMARK')
  const untilMs = performance.now() + Number(step['within'] ?? 5) * 1000
  const found: Frame[] = []
  while (found.length < wanted.length) {
    const frame = watch.frames.shift()
    if (frame) {
      // Bookmarks count only where the next wanted event is one, or where they are asked for.
      const isWanted = frame.type !== 'BOOKMARK' || (wantsBookmarks && bookmarkFits(step, wanted, found.length))
      if (isWanted) found.push(frame)
      continue
    }
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0 || watch.hasEnded())
      return `frames: wanted ${wanted.length}, found ${JSON.stringify(found).slice(0, 400)}`
    await watch.wait(leftMs)
  }
  return step['ordered'] === false ? unorderedMismatch(wanted, found, kept) : mismatch(wanted, found, kept, 'events')
}

function bookmarkFits(step: Step, wanted: readonly Words[], at: number): boolean {
  return step['bookmarks'] === true || wanted[at]?.['type'] === 'BOOKMARK'
}

function unorderedMismatch(wanted: readonly Words[], found: readonly Frame[], kept: Kept): string | undefined {
  const rest = [...found]
  for (const event of wanted) {
    const at = rest.findIndex((frame) => mismatch(event, frame, new Map(kept)) === undefined)
    if (at < 0)
      return `events: nothing fits ${JSON.stringify(event).slice(0, 200)} in ${JSON.stringify(rest).slice(0, 400)}`
    mismatch(event, rest.splice(at, 1)[0], kept)
  }
  return undefined
}

async function quietStep(watch: OpenWatch, step: Step): Promise<string | undefined> {
  await sleep(Number(step['for'] ?? 0.7) * 1000)
  const loud = watch.frames.filter(({ type }) => type !== 'BOOKMARK')
  return loud.length === 0 ? undefined : `wanted silence, found ${JSON.stringify(loud).slice(0, 400)}`
}

async function endedStep(watch: OpenWatch, step: Step): Promise<string | undefined> {
  const untilMs = performance.now() + Number(step['within'] ?? 5) * 1000
  for (;;) {
    const loud = watch.frames.filter(({ type }) => type !== 'BOOKMARK')
    if (loud.length > 0) return `wanted the end, found ${JSON.stringify(loud).slice(0, 400)}`
    if (watch.hasEnded()) return undefined
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0) return 'wanted the end, the stream is still open'
    await watch.wait(leftMs)
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
