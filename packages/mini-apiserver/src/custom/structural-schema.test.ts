import { describe, expect, it } from 'vitest'
import { readJsonPath } from './json-path.ts'
import { fillDefaults, prune } from './structural-schema.ts'
import { validateSchema } from './validate-schema.ts'

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['A', 'B'] },
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        list: {
          type: 'array',
          maxItems: 2,
          items: { type: 'object', properties: { p: { type: 'string', default: 'TCP' } } },
        },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    },
  },
}

describe('the schema of a custom kind', () => {
  it('drops unknown fields, names them, and keeps them where it says so', () => {
    const unknown: string[] = []
    const value = { spec: { type: 'A', junk: 1, any: { x: 1 }, list: [{ q: 1 }], map: { k: 1 } } }
    expect(prune(value, schema, '', unknown)).toEqual({ spec: { type: 'A', any: { x: 1 }, list: [{}], map: { k: 1 } } })
    expect(unknown).toEqual(['spec.junk', 'spec.list[0].q'])
  })

  it('fills defaults, also inside lists', () => {
    const value = { spec: { type: 'A', list: [{}] } }
    fillDefaults(value, schema)
    expect(value).toEqual({ spec: { type: 'A', size: 3, list: [{ p: 'TCP' }] } })
  })

  it.each([
    ['a word that is not allowed', { type: 'C' }, 'spec.type: Unsupported value: "C": supported values: "A", "B"'],
    ['a missing field', {}, 'spec.type: Required value'],
    ['too small', { type: 'A', size: 0 }, 'should be greater than or equal to 1'],
    ['another type', { type: 'A', size: 'x' }, 'must be of type integer: "string"'],
    ['a pattern', { type: 'A', name: 'A1' }, "should match '^[a-z]+$'"],
    ['too long a list', { type: 'A', list: [{}, {}, {}] }, 'must have at most 2 items'],
    ['a map of the wrong type', { type: 'A', map: { k: 'x' } }, 'spec.map.k'],
    ['a port that is neither', { type: 'A', port: true }, 'integer,string'],
  ])('refuses %s', (_name, spec, wanted) => {
    const causes = validateSchema({ spec } as never, schema, '')
    expect(causes.map(({ field, message }) => `${field}: ${message}`).join('\n')).toContain(wanted)
  })

  it.each([
    ['.spec.type', 'A'],
    ['.spec.list[1].p', 'y'],
    ['.spec.list[?(@.p=="y")].q', 2],
    ['.spec.nope', undefined],
    ['{odd}', undefined],
  ])('%s of a printer column', (path, wanted) => {
    expect(readJsonPath({ spec: { type: 'A', list: [{ p: 'x' }, { p: 'y', q: 2 }] } }, path)).toBe(wanted)
  })
})
