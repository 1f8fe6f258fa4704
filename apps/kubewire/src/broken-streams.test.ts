import { expect, test } from 'vitest'
import { endOfOutput } from './broken-streams.ts'

test.each([
  ['a reader that has gone is no news', 'EPIPE', { exitCode: 141 }],
  [
    'a full disk is said in one line',
    'ENOSPC',
    { exitCode: 3, message: 'kubewire: standard output cannot be written: no space left on the device\n' },
  ],
  [
    'so is whatever else happens',
    'EIO',
    { exitCode: 3, message: 'kubewire: standard output cannot be written: EIO\n' },
  ],
])('%s', (_name, code, end) => {
  expect(endOfOutput(Object.assign(new Error(code), { code }))).toEqual(end)
})
