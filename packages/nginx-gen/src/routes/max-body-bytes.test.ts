import { expect, it } from 'vitest'
import { directive, raw } from '../config/node.ts'
import { maxBodyBytes } from './max-body-bytes.ts'

const size = (text: string) => directive('client_max_body_size', text)

const rows = [
  ['without a directive nginx takes a megabyte', [], 1048576],
  ['units are binary', [size('8k')], 8192],
  ['letters of either case', [size('2G')], 2 * 1024 ** 3],
  ['the innermost one holds', [size('1m'), size('10')], 10],
  ['a snippet counts', [size('1m'), raw('more_set_headers "X: y";\nclient_max_body_size 3k;')], 3072],
  ['zero is any size', [size('0')], 0],
] as const
it.each(rows)('%s', (_, nodes, bytes) => {
  expect(maxBodyBytes(nodes)).toBe(bytes)
})
