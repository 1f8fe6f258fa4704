import type { Problem } from '@kubewire/kube-model'
import { describe, expect, test } from 'vitest'
import type { RuleFinding } from '../../lint/rule-finding.ts'
import { findingRows, rowsByObject } from './finding-rows.ts'

const object = { kind: 'Service', namespace: 'shop', name: 'tea' }
const problem: Problem = {
  code: 'NGX_CERTIFICATE',
  severity: 'error',
  object: { kind: 'Ingress', namespace: 'shop', name: 'front' },
  path: 'spec.tls',
  message: 'the Secret does not exist',
  fallback: 'the default certificate is served',
  position: { file: 'front.yaml', line: 3, column: 5 },
}
const finding: RuleFinding = { rule: 'ndots-cost', severity: 'note', object, path: '', message: 'asks four names' }

describe('findings and problems as one list', () => {
  test('the worst comes first, what is set aside last', () => {
    const rows = findingRows(
      [
        finding,
        { ...finding, severity: 'error', message: 'set aside', suppression: { until: '2030-01-01', reason: 'known' } },
        { ...finding, severity: 'warning', message: 'surprises' },
      ],
      [problem],
    )
    expect(rows.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'error: the Secret does not exist',
      'warning: surprises',
      'note: asks four names',
      'error: set aside',
    ])
  })

  test('a problem says what happens now, and where', () => {
    expect(findingRows([], [problem])[0]).toMatchObject({
      aftermath: 'the default certificate is served',
      place: 'front.yaml:3:5',
      code: 'NGX_CERTIFICATE',
    })
  })

  test('rows are found by their object', () => {
    const about = rowsByObject(findingRows([finding], [problem]))
    expect([...about.keys()]).toEqual(['Ingress shop/front', 'Service shop/tea'])
  })
})
