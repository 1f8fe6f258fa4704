import { describe, expect, it } from 'vitest'
import { allMessageNames, messageOf } from './message.ts'
import { type FieldType, parseRow } from './parse-table.ts'

describe('the notation of the field tables', () => {
  it('reads number, type and flags of a field', () => {
    const [field] = parseRow('ports:1 []ServicePort!~port#@port|protocol%', 'core')
    expect(field).toEqual({
      name: 'ports',
      number: 1,
      type: { kind: 'list', of: { kind: 'message', name: 'core.ServicePort' } },
      isPointer: false,
      isAlwaysWritten: true,
      mergeKey: 'port',
      retainsKeys: true,
      listKeys: ['port', 'protocol'],
      isAtomic: true,
    })
  })

  it('tells a set from a list with keys and from one without', () => {
    const rows = parseRow('a []string~@; b []string; c *{}[]string', 'core')
    expect(rows).toMatchObject([
      { mergeKey: '', listKeys: [] },
      { mergeKey: undefined, listKeys: undefined },
      { isPointer: true, type: { kind: 'map', of: { kind: 'list', of: { kind: 'string' } } } },
    ])
  })

  it('refuses what it cannot read', () => {
    expect(() => parseRow('ports 1 ServicePort', 'core')).toThrow(/cannot read/)
  })
})

describe('the field tables', () => {
  it('every type can be read and refers only to types that are there', () => {
    const used = (type: FieldType): string[] =>
      type.kind === 'message' ? [type.name] : type.kind === 'list' || type.kind === 'map' ? used(type.of) : []
    const names = allMessageNames()
    const missing = names
      .flatMap((name) => messageOf(name).fields.flatMap(({ type }) => used(type)))
      .filter((name) => !names.includes(name))
    expect(missing).toEqual([])
  })

  it('no type has a field name or number twice', () => {
    const twice = allMessageNames().filter((name) => {
      const { fields } = messageOf(name)
      const own = fields.filter(({ number, inlineNumber }) => number > 0 && inlineNumber === undefined)
      return (
        new Set(fields.map((field) => field.name)).size < fields.length ||
        new Set(own.map(({ number }) => number)).size < own.length
      )
    })
    expect(twice).toEqual([])
  })
})
