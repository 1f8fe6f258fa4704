import { describe, expect, it } from 'vitest'
import { duplicateFields } from './duplicate-fields.ts'

describe('repeated keys in a JSON text', () => {
  it.each([
    ['none', '{"a":1,"b":{"a":1}}', []],
    ['at the top', '{"a":1,"a":2}', ['a']],
    ['inside a list', '{"spec":{"ports":[{"port":1},{"port":1,"port":2}]}}', ['spec.ports[1].port']],
    ['three times is told once', '{"data":{"a":"1","a":"2","a":"3"}}', ['data.a']],
    ['a value that looks like a key', '{"a":"a","b":["a","a"]}', []],
    ['a key written with an escape', '{"a":1,"\\u0061":2}', ['a']],
    ['text with braces and quotes', '{"a":"{\\"a\\":1","b":"}"}', []],
  ])('%s', (_name, text, wanted) => {
    expect(duplicateFields(text)).toEqual(wanted)
  })
})
