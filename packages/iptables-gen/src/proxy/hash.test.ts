import { createHash, hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashName, sha256 } from './hash.ts'

describe('SHA-256 in plain TypeScript', () => {
  it.each([0, 1, 3, 54, 55, 56, 63, 64, 65, 119, 120, 1000])('agrees with the platform on %i bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + 7) & 255)
    const words = sha256(bytes)
    const hex = [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    expect(hex).toBe(createHash('sha256').update(bytes).digest('hex'))
  })
})

describe('hashed names', () => {
  it.each([
    ['ns1/svc1:p80tcp', 'XPGD46QRK7WJZT7O'],
    ['ns1/svc1:p80tcp10.180.0.1:80', 'SXIVWICOYRO3J4NJ'],
    ['six/web:httptcp[fd00:244:0:1::140]:8080', 'HYKP2WDP6WHWN4V5'],
    ['default/kubernetes:httpstcp', 'NPX46M4PTMTKRN6Y'],
  ])('%s', (text, name) => {
    expect(hashName(text, 16)).toBe(name)
    expect(hashName(text, 16, (one) => hash('sha256', one, 'binary'))).toBe(name)
  })

  it('are the same with a digest of the platform, whatever the letters', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(text, (one) => {
        expect(hashName(one, 16, (it) => hash('sha256', it, 'binary'))).toBe(hashName(one, 16))
      }),
    )
  })
})
