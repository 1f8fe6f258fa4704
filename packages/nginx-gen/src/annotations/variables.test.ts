import { describe, expect, it } from 'vitest'
import { unknownVariable } from './variables.ts'

describe('variables in a text of a user', () => {
  it.each([
    ['plain text', 'no variable at all', false, undefined],
    ['a variable of nginx', 'x$request_uri', false, undefined],
    ['a variable in braces', '${host}x', false, undefined],
    ['a request header', '$http_x_team', false, undefined],
    ['an argument of either case', '$arg_userId', false, undefined],
    ['a variable of ours', '$ingress_name', false, undefined],
    ['a group where there are groups', '/$1', true, undefined],
    ['a group where there are none', '/$1', false, '$1'],
    ['an unknown one', '$nothing here', false, '$nothing'],
    ['a lone dollar', 'a$', false, '$'],
    ['a dollar before a bracket', '$(id)', false, '$'],
  ] as const)('%s', (_, text, captures, unknown) => {
    expect(unknownVariable(text, captures)).toBe(unknown)
  })
})
