import { describe, expect, it } from 'vitest'
import { parseManifests, parseYaml } from './manifest.ts'

const read = (text: string) => {
  const { objects, placed, problems } = parseManifests(text, 'shop.yaml')
  return {
    names: objects.map((object) => `${object.kind} ${object.metadata?.name}`),
    lines: placed.map(({ position }) => position.line),
    problems: problems.map(({ code, position }) => `${code} ${position?.line}:${position?.column}`),
  }
}

describe('a manifest', () => {
  it.each<[string, string, ReturnType<typeof read>]>([
    [
      'one document',
      'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n',
      { names: ['Service a'], lines: [1], problems: [] },
    ],
    [
      'several documents with their lines',
      '---\napiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: v1\nkind: B\nmetadata: {name: b}\n',
      { names: ['A a', 'B b'], lines: [2, 8], problems: [] },
    ],
    ['JSON', '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}', { names: ['A a'], lines: [1], problems: [] }],
    [
      'a List is taken apart',
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- {apiVersion: v1, kind: BList, items: [{apiVersion: v1, kind: B, metadata: {name: b}}]}\n',
      { names: ['A a', 'B b'], lines: [1, 1], problems: [] },
    ],
    [
      'a kind that ends with List but has no items is an object',
      'apiVersion: v1\nkind: AllowList\nmetadata: {name: a}\n',
      { names: ['AllowList a'], lines: [1], problems: [] },
    ],
    [
      'a document that does not parse leaves the others',
      'apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\na: [\n---\napiVersion: v1\nkind: B\nmetadata: {name: b}\n',
      { names: ['A a', 'B b'], lines: [1, 7], problems: ['MODEL_YAML 6:1'] },
    ],
    [
      'a document that is no object is told',
      'just text\n---\n[1, 2]\n---\nkind: A\n',
      {
        names: [],
        lines: [],
        problems: ['MODEL_NOT_AN_OBJECT 1:1', 'MODEL_NOT_AN_OBJECT 3:1', 'MODEL_NOT_AN_OBJECT 5:1'],
      },
    ],
    [
      'duplicate keys are told',
      'apiVersion: v1\nkind: A\nkind: B\n',
      { names: [], lines: [], problems: ['MODEL_YAML 3:1'] },
    ],
    ['nothing is nothing', '', { names: [], lines: [], problems: [] }],
    [
      'anchors and merges work',
      'apiVersion: v1\nkind: A\nmetadata: &m {name: a}\nspec: {<<: *m}\n',
      { names: ['A a'], lines: [1], problems: [] },
    ],
    [
      'Windows line ends',
      'apiVersion: v1\r\nkind: A\r\nmetadata: {name: a}\r\n',
      { names: ['A a'], lines: [1], problems: [] },
    ],
  ])('%s', (_name, text, expected) => expect(read(text)).toEqual(expected))

  it('a field has a place, also of an object in a List', () => {
    const text = `kind: List
apiVersion: v1
items:
  - kind: A
    apiVersion: v1
    metadata: {name: a}
    spec:
      ports:
        - port: 80
        - port: 81
`
    const [placed] = parseManifests(text, 'a.yaml').placed
    const lineOf = (...path: readonly (string | number)[]) => placed?.positionOf(path).line
    expect(lineOf('spec', 'ports', 1, 'port')).toBe(10)
    expect(lineOf('spec', 'ports')).toBe(8)
    expect(lineOf('spec', 'selector', 'app')).toBe(7)
    expect(lineOf()).toBe(4)
  })

  it('values are read as kubectl reads them', () => {
    const [object] = parseManifests(
      'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  creationTimestamp: 2026-01-01T00:00:00Z\n  annotations: {on: "off", port: "0777"}\n',
      'a',
    ).objects
    expect(object?.metadata).toEqual({
      name: 'a',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { on: 'off', port: '0777' },
    })
  })

  it('an alias bomb is a problem, not a hang', () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (let i = 0; i < 8; i++)
      lines.push(`${'bcdefghi'[i]}: &${'bcdefghi'[i]} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
    expect(read(`apiVersion: v1\nkind: A\n${lines.join('\n')}\n`).problems).toEqual(['MODEL_YAML 1:1'])
  })
})

describe('where a value of a document stands', () => {
  const text = 'about: x\nqueries:\n  - q: a\n    expect: {rcod: NOERROR}\n  - q: b\n'
  it.each<[string, readonly (string | number)[], number]>([
    ['a key by its own line', ['queries'], 2],
    ['an element of a list by its first line', ['queries', 1], 5],
    ['a key inside a flow mapping', ['queries', 0, 'expect', 'rcod'], 4],
    ['what is not there by what is above it', ['queries', 0, 'edns', 'do'], 3],
  ])('%s', (_, path, line) => {
    const parsed = parseYaml(text)
    expect('error' in parsed ? parsed.error : parsed.lineOf(path)).toBe(line)
  })

  it('a text that does not parse names its line', () => {
    expect(parseYaml('a: 1\nb: [\n')).toMatchObject({ line: 3 })
  })
})
