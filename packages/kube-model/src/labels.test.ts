import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isLabelKey,
  isLabelValue,
  matchesSelector,
  parseSelector,
  printSelector,
  type Requirement,
  selectorOf,
} from './labels.ts'

const web = { app: 'web', tier: 'front', 'example.org/zone': 'a', weight: '10', empty: '' }

describe('a label selector', () => {
  it.each<[string, boolean]>([
    ['', true],
    [' ', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web', true],
    ['app=api', false],
    ['app!=api', true],
    ['app!=web', false],
    ['missing!=x', true],
    ['app in (web,api)', true],
    ['app in (web , api)', true],
    ['app in (api)', false],
    ['app notin (api)', true],
    ['missing notin (x)', true],
    ['app notin (web)', false],
    ['app', true],
    ['missing', false],
    ['!missing', true],
    ['! missing', true],
    ['!app', false],
    ['example.org/zone=a', true],
    ['weight>5', true],
    ['weight>10', false],
    ['weight<11', true],
    ['app>5', false],
    ['empty=', true],
    ['empty in ()', true],
    ['app in (,web)', true],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['app in (web,api),!missing,tier!=back', true],
  ])('%j matches a web front: %s', (text, matches) => {
    const selector = parseSelector(text)
    expect(selector).toBeDefined()
    expect(matchesSelector(selector ?? [], web)).toBe(matches)
  })

  it.each([
    'a===b',
    ',',
    'a,',
    ',a=b',
    'a in x',
    'a in (b',
    'in (b)',
    'a>x',
    'a=-b',
    '-a=b',
    'a=b c',
    '!a=b',
    '=b',
    'a b',
    'a/b/c=d',
    'A_/x=b',
    `${'a'.repeat(64)}=b`,
    `a=${'b'.repeat(64)}`,
  ])('%j does not parse', (text) => expect(parseSelector(text)).toBeUndefined())

  it('absent labels are no labels', () => {
    expect(matchesSelector(parseSelector('!app') ?? [], undefined)).toBe(true)
    expect(matchesSelector(parseSelector('app') ?? [], undefined)).toBe(false)
  })

  it('a name that every object has by birth is no label', () => {
    expect(matchesSelector(parseSelector('constructor') ?? [], {})).toBe(false)
    expect(matchesSelector(parseSelector('!toString') ?? [], {})).toBe(true)
  })

  it('parses back what it prints', () => {
    const key = fc.constantFrom('app', 'example.org/zone', 'a.b-c_d')
    const value = fc.constantFrom('web', 'a-1', 'A.b', '0')
    const requirement: fc.Arbitrary<Requirement> = fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('in' as const, 'notin' as const),
        values: fc.uniqueArray(value, { minLength: 1 }).map((v) => v.sort()),
      }),
      fc.record({ key, operator: fc.constantFrom('exists' as const, 'absent' as const), values: fc.constant([]) }),
      fc.record({
        key,
        operator: fc.constantFrom('gt' as const, 'lt' as const),
        values: fc.tuple(fc.integer({ min: 0 }).map(String)),
      }),
    )
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 5 }), (selector) => {
        expect(parseSelector(printSelector(selector))).toEqual(selector)
      }),
    )
  })
})

describe('a selector object', () => {
  it.each<[string, Parameters<typeof selectorOf>[0], string | undefined]>([
    ['the empty one selects everything', {}, ''],
    [
      'labels and expressions all hold',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] },
      'app=web,tier in (a,b)',
    ],
    [
      'exists and not',
      {
        matchExpressions: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'DoesNotExist' },
          { key: 'c', operator: 'NotIn', values: ['x'] },
        ],
      },
      'a,!b,c!=x',
    ],
    ['an unknown operator is none', { matchExpressions: [{ key: 'a', operator: 'Near' }] }, undefined],
    ['In without values is none', { matchExpressions: [{ key: 'a', operator: 'In' }] }, undefined],
    ['Exists with values is none', { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }, undefined],
    ['a bad value is none', { matchLabels: { app: '-web' } }, undefined],
  ])('%s', (_name, selector, text) => {
    const parsed = selectorOf(selector)
    expect(parsed && printSelector(parsed)).toBe(text)
  })
})

describe('label keys and values', () => {
  it.each([
    ['app', true],
    ['example.org/app', true],
    ['a.b_c-d', true],
    ['App', true],
    ['', false],
    ['-a', false],
    ['a/', false],
    ['/a', false],
    ['Example.org/a', false],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
  ])('%s is a key: %s', (text, isKey) => expect(isLabelKey(text)).toBe(isKey))
  it.each([
    ['', true],
    ['web', true],
    ['-', false],
    ['a b', false],
    ['a/b', false],
    ['0', true],
  ])('%j is a value: %s', (text, isValue) => expect(isLabelValue(text)).toBe(isValue))
})
