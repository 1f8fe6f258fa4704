import { expect, it } from 'vitest'
import { decodeBase64 } from './base64.ts'

it.each([
  ['dGVh', 'tea'],
  ['dG\nVh', 'tea'],
  ['', ''],
  ['%%%', undefined],
  [undefined, undefined],
])('%j decodes to %j', (data, text) => {
  expect(decodeBase64(data)).toBe(text)
})
