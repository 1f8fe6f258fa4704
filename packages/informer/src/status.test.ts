import { describe, expect, it } from 'vitest'
import { isExpired, isTooLargeVersion, type Status, statusOf } from './status.ts'

describe('a Status object', () => {
  it('is reduced to what decides', () => {
    const raw = {
      kind: 'Status',
      code: 504,
      reason: 'Timeout',
      message: 'Too large resource version: 9, current: 7',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    }
    expect(statusOf(raw)).toEqual({
      code: 504,
      reason: 'Timeout',
      message: 'Too large resource version: 9, current: 7',
      retryAfterSeconds: 1,
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    })
  })

  it.each([[null], ['text'], [{ code: '410', details: 7 }], [[]]])('%j leaves wrong types out', (raw) =>
    expect(statusOf(raw)).toEqual({}),
  )

  it.each<[Status, boolean, boolean, string]>([
    [{ code: 410, reason: 'Expired' }, true, false, 'expired'],
    [{ code: 410, reason: 'Gone' }, true, false, 'gone, as servers before 1.18 say'],
    [{ reason: 'Expired' }, true, false, 'expired without a code'],
    [{ code: 504, causes: [{ reason: 'ResourceVersionTooLarge' }] }, false, true, 'too large by cause'],
    [{ code: 504, message: 'Timeout: Too large resource version: 9, current: 7' }, false, true, 'too large by words'],
    [{ code: 504, reason: 'Timeout' }, false, false, 'an ordinary timeout'],
    [{ code: 500, message: 'too large resource version' }, false, false, 'the words alone do not count'],
  ])('%j: expired %s, too large %s', (status, expired, tooLarge) => {
    expect([isExpired(status), isTooLargeVersion(status)]).toEqual([expired, tooLarge])
  })
})
