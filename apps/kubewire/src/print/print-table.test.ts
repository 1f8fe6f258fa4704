import { expect, it } from 'vitest'
import { printTable } from './print-table.ts'

it.each<[string, readonly (readonly string[])[], string]>([
  [
    'columns are as wide as their widest cell, and lines have no blanks at their end',
    [
      ['a', 'bbbb'],
      ['cccc', ''],
    ],
    'NAME   PORT\na      bbbb\ncccc\n',
  ],
  ['without rows there is nothing, not even a head', [], ''],
])('%s', (_, rows, wanted) => {
  expect(printTable(['name', 'port'], rows)).toBe(wanted)
})
