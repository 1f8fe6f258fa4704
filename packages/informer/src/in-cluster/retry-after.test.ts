import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0)

describe('Retry-After', () => {
  it.each<[string, string | undefined, string | undefined, number]>([
    ['absent asks for nothing', undefined, undefined, 0],
    ['in seconds', '3', undefined, 3],
    ['in seconds, with blanks around', ' 3 ', undefined, 3],
    ['in parts of a second, as some proxies send it', '0.05', undefined, 0.05],
    ['as a date, measured against the date of the answer', 'Thu, 01 Jan 2026 12:00:30 GMT', date('12:00:10'), 20],
    ['as a date, measured against the local clock', 'Thu, 01 Jan 2026 12:00:30 GMT', undefined, 30],
    ['as a date, where the answer’s own date is unreadable', 'Thu, 01 Jan 2026 12:00:30 GMT', 'noon', 30],
    ['as a date that has passed', 'Thu, 01 Jan 2026 11:59:00 GMT', undefined, 0],
    ['as a date of another calendar', 'Thu, 41 Foo 2026 12:00:30 GMT', undefined, 0],
    ['below zero', '-5', undefined, 0],
    ['that says nothing', 'soon', undefined, 0],
    ['empty', '', undefined, 0],
  ])('%s', (_name, text, sentAt, seconds) => {
    expect(parseRetryAfter(text, sentAt, nowMs)).toBe(seconds)
  })
})

function date(time: string): string {
  return `Thu, 01 Jan 2026 ${time} GMT`
}
