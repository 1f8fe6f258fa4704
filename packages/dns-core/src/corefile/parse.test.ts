import { describe, expect, it } from 'vitest'
import type { Directive } from './directive.ts'
import { parseCorefile } from './parse.ts'

const show = ({ name, args, block }: Directive): string =>
  [
    name.text,
    ...args.map((arg) => JSON.stringify(arg.text)),
    ...(block === undefined ? [] : [`{ ${block.map(show).join('; ')} }`]),
  ].join(' ')

const parse = (text: string, files: { [path: string]: string } = {}): string[] => {
  const { blocks, problems } = parseCorefile(text, 'Corefile', {
    environment: (name) => ({ PORT: '1053', SPACED: 'a b' })[name],
    files: {
      read: (pattern) =>
        Object.entries(files)
          .filter(([file]) => file === pattern)
          .map(([file, content]) => ({ file, text: content })),
    },
  })
  return [
    ...blocks.map((b) => `${b.keys.map((k) => k.text).join(' ')}: ${b.directives.map(show).join('; ')}`),
    ...problems.map((p) => p.message),
  ]
}

describe('the grammar of Corefiles', () => {
  it.each([
    ['.:53\nerrors\nlog', ['.:53: errors; log'], 'a file without braces is one block'],
    ['a,\nb {\n errors\n}', ['a b: errors'], 'keys go on after a comma'],
    [
      '. {\n a "b c" "d\\"e" "f\\g"\n}',
      ['.: a "b c" "d\\"e" "f\\\\g"'],
      'quotes keep blanks; only a quote can be escaped',
    ],
    ['. {\n a "" b\n}', ['.: a "" "b"'], 'a quoted word may be empty'],
    ['. {\n a # c\n b\n}', ['.: a; b'], 'comments end with their line'],
    ['. {\n foo#bar baz\n}', ['.: foo "baz"'], 'a # inside a word ends the word only'],
    ['. {\n a {\n b {\n c\n }\n }\n}', ['.: a { b { c } }'], 'blocks nest'],
    [
      '.:{$PORT} {\n a {%SPACED%} {$NONE}x {$}\n}',
      ['.:1053: a "a b" "x" "{$}"'],
      'variables stay one word, unset ones are empty',
    ],
    [
      '(s) {\n errors\n log\n}\n. {\n import s\n any\n}',
      ['.: errors; log; any'],
      'snippets stand where they are imported',
    ],
    ['. {\n import other\n}', ['.: whoami "x"'], 'files are imported'],
    ['a {\n errors\n}\nb {\n log\n}', ['a: errors', 'b: log'], 'blocks follow each other'],
  ])('%j', (text, expected) => {
    expect(parse(text, { other: 'whoami x' })).toEqual(expected)
  })
})
