import { ingress } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import type { RuleFinding } from './rule-finding.ts'
import { suppressFindings, suppressionProblems } from './suppress-findings.ts'

const found: RuleFinding = {
  rule: 'shadowed-path',
  severity: 'warning',
  object: { kind: 'Ingress', namespace: 'shop', name: 'a' },
  path: '',
  message: 'm',
}

test.each([
  [
    'a day to come and a reason set it aside',
    'until 2027-01-31: goes in January',
    'm',
    { until: '2027-01-31', reason: 'goes in January' },
  ],
  ['the last day still counts', 'until 2027-01-15: x', 'm', { until: '2027-01-15', reason: 'x' }],
  ['afterwards it is back', 'until 2027-01-14: x', 'm; its suppression ended on 2027-01-14', undefined],
  ['without a reason it stays', 'until 2027-01-31:', 'm; its suppression is not "until YYYY-MM-DD: REASON"', undefined],
  [
    'a day that no calendar has sets nothing aside',
    'until 2027-13-45: x',
    'm; its suppression is not "until YYYY-MM-DD: REASON"',
    undefined,
  ],
  ['without a day it stays', 'never mind', 'm; its suppression is not "until YYYY-MM-DD: REASON"', undefined],
] as const)('%s', (_name, text, message, suppression) => {
  const [one] = suppressFindings(
    [found],
    [ingress('shop/a', {}, { 'lint.kubewire/shadowed-path': text })],
    '2027-01-15',
  )
  expect([one?.message, one?.suppression]).toEqual([message, suppression])
})

test('another rule and another object are untouched', () => {
  const others = [
    ingress('shop/a', {}, { 'lint.kubewire/snippet-use': 'until 2027-01-31: x' }),
    ingress('shop/b', {}, { 'lint.kubewire/shadowed-path': 'until 2027-01-31: x' }),
  ]
  expect(suppressFindings([found], others, '2027-01-15')).toEqual([found])
})

test.each([
  [
    'a rule that is none',
    { 'lint.kubewire/shadowed-pat': 'until 2027-01-31: x' },
    [/name of a rule .* "shadowed-pat"$/],
  ],
  [
    'no day of the calendar',
    { 'lint.kubewire/shadowed-path': 'until 2027-02-30: x' },
    [/found "until 2027-02-30: x"$/],
  ],
  ['a good one', { 'lint.kubewire/shadowed-path': 'until 2027-01-31: x', other: 'y' }, []],
])('%s is told even where nothing is found', (_, annotations, expected) => {
  const problems = suppressionProblems([ingress('shop/a', {}, annotations)], ['shadowed-path'])
  expect(problems.map(({ message }) => message)).toEqual(expected.map((one) => expect.stringMatching(one)))
})
