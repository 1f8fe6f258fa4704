import { expect, test } from 'vitest'
import { podResolver } from './pod-resolver.ts'
import { searchNames } from './search-list.ts'

test.each([
  [
    'a short name walks the search list before it is tried as it is',
    'tea',
    ['tea.shop.svc.cluster.local.', 'tea.svc.cluster.local.', 'tea.cluster.local.', 'tea.'],
  ],
  ['a name with a dot at its end is asked once', 'tea.shop.svc.cluster.local.', ['tea.shop.svc.cluster.local.']],
  [
    'five dots are enough to be tried as it is first',
    'a.b.c.d.example.org',
    [
      'a.b.c.d.example.org.',
      'a.b.c.d.example.org.shop.svc.cluster.local.',
      'a.b.c.d.example.org.svc.cluster.local.',
      'a.b.c.d.example.org.cluster.local.',
    ],
  ],
])('%s', (_name, asked, expected) => {
  expect(searchNames(asked, podResolver({}, 'shop'))).toEqual(expected)
})
