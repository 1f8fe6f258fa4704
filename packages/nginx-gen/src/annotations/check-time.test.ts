// No value of a tenant may keep the controller busy: the check of every annotation takes about as long as the value is.

import { describe, expect, it } from 'vitest'
import { annotations } from './registry.ts'

const units = [
  'a',
  'A',
  '$a',
  '${a',
  'GET,',
  '400 ',
  '400',
  '-',
  '/',
  '.',
  ' ',
  'a.',
  '(',
  'error ',
  '~',
  '[',
  '5m',
  'x y ',
]
const joints = ['', 'a', '$a', ' ', '0', ',']
const ends = ['!', '"', '', '/', '$']

describe('the check of a value', () => {
  it.each(annotations.map((annotation) => [annotation.names[0], annotation.value] as const))(
    'of %s ends at once, whatever the value repeats',
    (_, { parse }) => {
      const startMs = performance.now()
      for (const unit of units) {
        for (const joint of joints) for (const end of ends) parse((unit + joint).repeat(40) + end)
      }
      // Two readings of one repeated text would double the time forty times.
      expect(performance.now() - startMs).toBeLessThan(2000)
    },
    10_000,
  )
})
