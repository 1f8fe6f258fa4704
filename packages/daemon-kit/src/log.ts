// Leveled logs, one line an event, in the originals' text formats or JSON. Lines are collected and written once per
// turn of the event loop: a line costs a string, not a system call. Control characters are escaped, so that nothing
// from the network can forge a line. Secrets cannot be logged by accident: fields take plain values only.

import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'

/** From noisy to quiet. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What a field may hold; no objects, so that no Secret slips through whole. */
export type LogValue = string | number | boolean | undefined | null | readonly (string | number)[]

/** Named values of one event. */
export interface LogFields {
  readonly [name: string]: LogValue
}

/** A writer of events. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  isEnabled(level: LogLevel): boolean
  /** The same log for a part of the program: `plugin/kubernetes` for CoreDNS, the file's place for klog. */
  named(name: string): Log
  /** Writes what is collected, at once. Needed before `process.exit` only. */
  flush(): void
}

/** How lines look and where they go. */
export interface LogOptions {
  /** `coredns`: `[INFO] text`; `klog`: `I1129 22:54:08.123456    4711 name] text`; `json`: one object a line. */
  readonly format: 'coredns' | 'klog' | 'json'
  /** Default `info`. */
  readonly level?: LogLevel
  /** Gets whole lines; default: standard output for `coredns` (as CoreDNS does), standard error for the others. */
  readonly write?: (lines: string) => void
  readonly clock?: Pick<Clock, 'nowMs'>
  readonly processId?: number
  readonly name?: string
}

const order: { readonly [L in LogLevel]: number } = { debug: 0, info: 1, warn: 2, error: 3 }

/** Creates a log. */
export function createLog(options: LogOptions): Log {
  const { format, level = 'info', clock = systemClock, processId = process.pid } = options
  const stream = format === 'coredns' ? process.stdout : process.stderr
  const write = options.write ?? ((lines: string) => void stream.write(lines))
  const waiting: string[] = []
  let isScheduled = false
  const flush = (): void => {
    isScheduled = false
    if (waiting.length > 0) write(waiting.splice(0).join(''))
  }
  const log = (name: string): Log => {
    const emit = (at: LogLevel) => (message: string, fields?: LogFields) => {
      if (order[at] < order[level]) return
      waiting.push(printLine[format]({ level: at, message, fields, name, nowMs: clock.nowMs(), processId }))
      if (waiting.length >= 1000) return flush()
      if (!isScheduled) setImmediate(flush)
      isScheduled = true
    }
    return {
      debug: emit('debug'),
      info: emit('info'),
      warn: emit('warn'),
      error: emit('error'),
      isEnabled: (at) => order[at] >= order[level],
      named: log,
      flush,
    }
  }
  return log(options.name ?? '')
}

interface Line {
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields | undefined
  readonly name: string
  readonly nowMs: number
  readonly processId: number
}

const printLine: { readonly [F in LogOptions['format']]: (line: Line) => string } = {
  // CoreDNS plugin/pkg/log: `[WARNING] plugin/kubernetes: text`, no time.
  coredns: ({ level, message, fields, name }) => {
    const word = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' }[level]
    return `[${word}] ${name === '' ? '' : `${name}: `}${oneLine(message)}${printFields(fields)}\n`
  },
  // klog v2 header: Lmmdd hh:mm:ss.uuuuuu threadid file:line] msg; structured messages are quoted.
  klog: ({ level, message, fields, name, nowMs, processId }) => {
    const letter = { debug: 'I', info: 'I', warn: 'W', error: 'E' }[level]
    const at = new Date(nowMs).toISOString()
    const stamp = `${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000`
    const place = name === '' ? 'main' : name
    const text = fields === undefined ? oneLine(message) : JSON.stringify(message)
    return `${letter}${stamp} ${String(processId).padStart(7)} ${place}] ${text}${printFields(fields)}\n`
  },
  json: ({ level, message, fields, name, nowMs }) =>
    `${JSON.stringify({ ts: new Date(nowMs).toISOString(), level, ...(name === '' ? {} : { logger: name }), msg: message, ...fields })}\n`,
}

function printFields(fields: LogFields | undefined): string {
  if (fields === undefined) return ''
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value)}`,
    )
    .join('')
}

function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) => {
    if (c === '\n') return '\\n'
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
