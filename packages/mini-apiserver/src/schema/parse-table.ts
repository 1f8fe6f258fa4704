// Reads the notation of the field tables: one text per type, fields parted by `; `.
//
//   name[:number] type[flags]      number is the protobuf field; `<Type:n` spreads the fields of another type here
//   type   string int long bool double bytes Time MicroTime Duration Quantity IntOrString Raw Fields, `Type`, `pkg.Type`,
//          in front of it `*` (may be absent), `[]` (list), `{}` (map from text)
//   flags  `!` always written   `~key` key of strategic merge (`~` alone: a set)   `#` strategy retainKeys
//          `@a|b` list keys of apply (`@` alone: a set)   `%` atomic

/** The kind of a field's value. */
export type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list' | 'map'; readonly of: FieldType }
  | { readonly kind: 'message'; readonly name: string }

/** Values without parts (a `Raw` value is any JSON). */
export type ScalarKind = (typeof scalarKinds)[number]

/** One field of a type. */
export interface Field {
  readonly name: string
  /** Protobuf field number; 0 when the type has none. */
  readonly number: number
  readonly type: FieldType
  readonly isPointer: boolean
  readonly isAlwaysWritten: boolean
  /** Strategic merge: the key of list elements, `''` for a set of values, `undefined` to replace the list. */
  readonly mergeKey: string | undefined
  readonly retainsKeys: boolean
  /** Apply: keys of list elements, empty for a set, `undefined` for one indivisible list. */
  readonly listKeys: readonly string[] | undefined
  readonly isAtomic: boolean
  /** Protobuf keeps these fields in a message of their own under this number; JSON does not. */
  readonly inlineNumber?: number
}

const scalarKinds = [
  'string',
  'int',
  'long',
  'bool',
  'double',
  'bytes',
  'Time',
  'MicroTime',
  'Duration',
  'Quantity',
  'IntOrString',
  'Raw',
  'Fields',
] as const

/** A field, or the name of a type whose fields stand here. */
export type TableEntry = Field | { readonly spread: string; readonly number: number }

/**
 * Reads one row.
 *
 * @param row - the text of one type
 * @param group - prefix for type names without one
 */
export function parseRow(row: string, group: string): TableEntry[] {
  if (row === '') return []
  return row.split('; ').map((text) => {
    const spread = /^<([\w.]+)(?::(\d+))?$/.exec(text)
    if (spread) return { spread: qualify(spread[1] ?? '', group), number: Number(spread[2] ?? 0) }
    return parseField(text, group)
  })
}

const fieldPattern = /^([\w$-]+)(?::(\d+))? (\*?)((?:\[\]|\{\})*)([\w.]+)(!?)(?:~(\w*))?(#?)(?:@([\w|]*))?(%?)$/

function parseField(text: string, group: string): Field {
  const match = fieldPattern.exec(text)
  if (!match) throw new Error(`field table: cannot read ${JSON.stringify(text)}`)
  const [, name = '', number = '0', pointer, wraps = '', base = '', always, mergeKey, retain, listKeys, atomic] = match
  let type = baseType(base, group)
  for (let i = wraps.length - 2; i >= 0; i -= 2) {
    type = { kind: wraps.slice(i, i + 2) === '[]' ? 'list' : 'map', of: type }
  }
  return {
    name,
    number: Number(number),
    type,
    isPointer: pointer === '*',
    isAlwaysWritten: always === '!',
    mergeKey,
    retainsKeys: retain === '#',
    listKeys: listKeys === undefined ? undefined : listKeys.split('|').filter((key) => key !== ''),
    isAtomic: atomic === '%',
  }
}

function baseType(base: string, group: string): FieldType {
  const scalar = scalarKinds.find((kind) => kind === base)
  return scalar ? { kind: scalar } : { kind: 'message', name: qualify(base, group) }
}

function qualify(name: string, group: string): string {
  return name.includes('.') ? name : `${group}.${name}`
}
