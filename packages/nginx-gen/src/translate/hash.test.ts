import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashText } from './hash.ts'

it('is 32 hex digits that differ where texts differ', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(hashText(a)).toMatch(/^[0-9a-f]{32}$/)
      expect(hashText(a) === hashText(b)).toBe(a === b)
    }),
  )
})
