import { describe, expect, it } from 'vitest'
import { printExplanation, printPercent } from './explanation.ts'
import { printProblem, quoteFound, withProblems } from './problem.ts'

const base = {
  code: 'NGX_X',
  severity: 'error',
  object: { kind: 'Ingress', namespace: 'shop', name: 'front' },
  path: '',
  message: 'expected a number, got "fast"',
  fallback: '',
} as const

describe('a problem in one line', () => {
  it.each([
    [base, 'error: Ingress shop/front: expected a number, got "fast" (NGX_X)'],
    [
      { ...base, path: 'spec.rules[0]', fallback: 'the rule is left out', severity: 'warning' as const },
      'warning: Ingress shop/front spec.rules[0]: expected a number, got "fast"; the rule is left out (NGX_X)',
    ],
    [
      { ...base, position: { file: 'a.yaml', line: 3, column: 5 } },
      'a.yaml:3:5: error: Ingress shop/front: expected a number, got "fast" (NGX_X)',
    ],
    [
      { ...base, position: { file: 'a.yaml', line: 3 } },
      'a.yaml:3: error: Ingress shop/front: expected a number, got "fast" (NGX_X)',
    ],
  ])('%#', (problem, line) => expect(printProblem(problem)).toBe(line))

  it('values come with none unless said', () => expect(withProblems(7)).toEqual({ value: 7, problems: [] }))
})

describe('what was found, quoted', () => {
  it.each<[unknown, string]>([
    ['fast', '"fast"'],
    ['a\nb\u001b[31m\u007f\u2028', '"a\\nb\\u001b[31m\\u007f\\u2028"'],
    [7, '"7"'],
    [{ a: 1 }, '"{\\"a\\":1}"'],
    [undefined, '"undefined"'],
    [null, '"null"'],
    ['x'.repeat(100), `"${'x'.repeat(79)}…"`],
    ['x'.repeat(80), `"${'x'.repeat(80)}"`],
  ])('%#', (found, quoted) => expect(quoteFound(found)).toBe(quoted))
})

it('an explanation is an indented list of steps with their reasons', () => {
  const text = printExplanation({
    where: 'PREROUTING',
    what: 'jumps',
    probability: 1,
    steps: [
      {
        where: 'KUBE-SVC',
        what: 'picks',
        probability: 1 / 3,
        why: 'two endpoints',
        changed: 'dst a → b',
        origin: [{ kind: 'Service', name: 'tea' }],
      },
      { where: 'end', what: 'accepted' },
    ],
  })
  expect(text).toBe(
    'PREROUTING: jumps\n  KUBE-SVC: picks [33.3%] (dst a → b; because two endpoints; from Service tea)\n  end: accepted\n',
  )
  expect([printPercent(0.5), printPercent(0.0005), printPercent(1)]).toEqual(['50%', '0.1%', '100%'])
})
