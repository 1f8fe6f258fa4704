import { expect, test } from 'vitest'
import { parseFieldPath } from './field-path.ts'

test.each<[string, readonly (string | number)[]]>([
  ['', []],
  ['spec', ['spec']],
  ['spec.rules[0].http.paths[12].path', ['spec', 'rules', 0, 'http', 'paths', 12, 'path']],
  ['metadata.annotations["example.org/a.b"]', ['metadata', 'annotations', 'example.org/a.b']],
  ['data["a\\"b"].c', ['data', 'a"b', 'c']],
])('%s', (text, steps) => {
  expect(parseFieldPath(text)).toEqual(steps)
})
