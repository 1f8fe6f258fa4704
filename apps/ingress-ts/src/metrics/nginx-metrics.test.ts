import { expect, it } from 'vitest'
import { readStatus } from './nginx-metrics.ts'

it('reads the numbers of nginx’s status page', () => {
  const page = `Active connections: 3 \nserver accepts handled requests\n 10 9 25 \nReading: 0 Writing: 1 Waiting: 2 \n`
  expect(readStatus(page)).toEqual({
    active: 3,
    accepted: 10,
    handled: 9,
    requests: 25,
    reading: 0,
    writing: 1,
    waiting: 2,
  })
  expect(readStatus('something else')).toBeUndefined()
})
