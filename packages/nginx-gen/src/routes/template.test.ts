import { expect, it } from 'vitest'
import { fillTemplate, parseTemplate } from './template.ts'

const values: { readonly [name: string]: string } = { scheme: 'https', host: 'tea.example.org' }

const rows: readonly (readonly [fact: string, text: string, filled: string])[] = [
  ['text without variables is itself', '/start', '/start'],
  ['variables are filled in', '$scheme://$host/x', 'https://tea.example.org/x'],
  ['braces end a name', '${host}port', 'tea.example.orgport'],
  ['unknown ones are empty', 'a$nothing/b', 'a/b'],
  ['groups are one digit, as in nginx', '/$1/$10', '/one/one0'],
  ['groups may stand in braces', '/${2}x', '/twox'],
  ['a lone dollar stays', 'a$-b', 'a$-b'],
]
it.each(rows)('%s', (_, text, filled) => {
  const groups = ['', 'one', 'two']
  expect(
    fillTemplate(
      parseTemplate(text),
      (name) => values[name] ?? '',
      (number) => groups[number] ?? '',
    ),
  ).toBe(filled)
})
