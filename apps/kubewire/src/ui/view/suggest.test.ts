import { describe, expect, test } from 'vitest'
import { matchSuggestions, type Suggestion } from './suggest.ts'

describe('what could be meant by what is typed', () => {
  const all: readonly Suggestion[] = ['iced-tea.shop', 'tea.shop', 'coffee.tea', 'steak.bar', 'milk.shop'].map(
    (value) => ({ value, hint: '' }),
  )
  test.each([
    ['', ['iced-tea.shop', 'tea.shop', 'coffee.tea', 'steak.bar', 'milk.shop'], 'nothing yet: everything'],
    ['tea', ['tea.shop', 'coffee.tea', 'iced-tea.shop', 'steak.bar'], 'starts first, then parts, then anywhere'],
    ['TEA.', ['tea.shop', 'iced-tea.shop'], 'case does not matter'],
    ['juice', [], 'nothing fits'],
  ])('%j', (typed, values) => {
    expect(matchSuggestions(all, typed).map(({ value }) => value)).toEqual(values)
  })

  test('there are never more than wanted', () => {
    expect(matchSuggestions(all, 's', 2)).toHaveLength(2)
  })
})
