import { describe, expect, it } from 'vitest'
import { compileExpression } from './query-functions.ts'
import type { ValueType } from './type-of-expression.ts'

const names = new Map<string, ValueType>([
  ['group', 'any'],
  ['unknown', 'any'],
])
const said = (text: string): string => {
  const compiled = compileExpression(text, names)
  return 'error' in compiled ? compiled.error : compiled.type
}

describe('an expression whose types cannot fit', () => {
  it.each([
    ['1 + true', 'invalid operation: + (mismatched types int and bool)'],
    ['1 < "a"', 'invalid operation: < (mismatched types int and string)'],
    ['not 1', 'invalid operation: not (mismatched type int)'],
    ['-true', 'invalid operation: - (mismatched type bool)'],
    ['name() == 1', 'invalid operation: == (mismatched types string and int)'],
    ['type() in [1, 2]', 'cannot use string as type int in array'],
    ['1 in 2', 'invalid operation: in (mismatched types int and int)'],
    ['true && 1', 'invalid operation: && (mismatched types bool and int)'],
    ['port() == 53', 'invalid operation: == (mismatched types string and int)'],
    ['name() startsWith 1', 'invalid operation: startsWith (mismatched types string and int)'],
    ['name()[0] == "a"', 'type string[int] is undefined'],
    ['incidr(client_ip())', 'not enough arguments to call incidr'],
    ['name(1)', 'too many arguments to call name'],
    ['metadata(1) == ""', 'cannot use int as argument (type string) to call metadata '],
    ['1 ? 2 : 3', 'non-bool expression (type int) used as condition'],
    ['any(split(name(), "."), # == 1)', 'invalid operation: == (mismatched types string and int)'],
  ])('%s is refused', (text, error) => {
    expect(said(text)).toBe(error)
  })
})

describe('an expression whose types fit', () => {
  it.each([
    ['type() == "A" || do() and not (bufsize() > 1000)', 'bool'],
    ['size() % 2 == 0 && opcode() == 0', 'bool'],
    ['len(name()) + 1.5', 'float'],
    ['split(name(), ".")[0] in ["web", "db"]', 'bool'],
    ['metadata("a/b") == "" ? 1 : 2', 'int'],
    ['[1, "a"][0] == "a"', 'bool'],
    ['{a: 1}.a == "x"', 'bool'],
    ['filter([1, 2], # > 1)', 'any'],
    ['nil == name()', 'bool'],
    ['group(1) + group("a")', 'string'],
    ['unknown in "abc" || unknown + 1 > 2 || not unknown', 'bool'],
  ])('%s is taken', (text, type) => {
    expect(said(text)).toBe(type)
  })
})
