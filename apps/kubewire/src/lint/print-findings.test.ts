import { expect, test } from 'vitest'
import { printFindings } from './print-findings.ts'

const one = {
  rule: 'snippet-use',
  severity: 'warning',
  object: { kind: 'Ingress', namespace: 'shop', name: 'a' },
  path: 'x',
  message: '100% raw\nhere',
} as const

test.each([
  ['text', 'warning: Ingress shop/a x: 100% raw\nhere (snippet-use)\n'],
  ['github', '::warning title=snippet-use::Ingress shop/a x: 100%25 raw%0Ahere\n'],
] as const)('%s', (format, expected) => {
  expect(printFindings([one], format)).toBe(expected)
})

test('json is the findings themselves', () => {
  expect(JSON.parse(printFindings([one], 'json'))).toEqual([one])
})
