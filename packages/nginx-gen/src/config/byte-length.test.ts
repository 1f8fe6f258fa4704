import { expect, it } from 'vitest'
import { byteLength } from './byte-length.ts'

it.each(['', '/tea', '/käse', '/€uro', '/😀', '\u07ff\u0800\uffff'])(
  '%s has as many bytes as its UTF-8 form',
  (text) => {
    expect(byteLength(text)).toBe(new TextEncoder().encode(text).length)
  },
)
