import { fillPlaceholders } from '@kubewire/nginx-gen/cases'
import { describe, expect, it } from 'vitest'
import { area } from './area.ts'
import { metricComplaint } from './metric-facts.ts'

describe('placeholders', () => {
  const certificates = new Map([['web', { cert: 'CERT', key: 'KEY' }]])
  const rows: readonly (readonly [text: string, filled: string])[] = [
    ['{{cert:web}}', Buffer.from('CERT').toString('base64')],
    ['{{key:web}}', Buffer.from('KEY').toString('base64')],
    ['{{cert:other}}', '{{cert:other}}'],
    ['a{{repeat:xy:3}}', 'axyxyxy'],
    ['{{list:h%d.example:3}}', 'h1.example,h2.example,h3.example'],
    ['{{n}}', '4'],
    ['{{anything}}', '{{anything}}'],
  ]
  it.each(rows)('%s', (text, filled) => {
    expect(fillPlaceholders({ a: [text] }, { certificates, n: 4 })).toEqual({ a: [filled] })
  })
})

describe('facts about metrics', () => {
  const text = '# TYPE hits counter\nhits{a="1",b="2"} 3\n'
  it.each([
    [{ has: 'hits{b="2",a="1"} 3' }, true],
    [{ has: 'hits{a="1"} 3' }, false],
    [{ has: 'hits{a="1"} 3', subset: true }, true],
    [{ has: 'hits{a="1",b="2"} 4' }, false],
    [{ type: 'hits counter' }, true],
    [{ type: 'hits gauge' }, false],
    [{ absent: 'b="3"' }, true],
    [{ absent: 'b="2"' }, false],
  ])('%j: %s', (spec, isRight) => {
    expect(metricComplaint(text, spec) === undefined).toBe(isRight)
  })
})

it('a key that the format does not have is named wherever it stands', () => {
  const data = { cluster: [], requests: [{ host: 'a', expect: { statuss: 200 } }], steps: [{ applyy: [] }], extra: 1 }
  expect(area.unknownKeys({ path: '', suite: 'ingress', name: '', data })).toEqual([
    'requests[0].expect.statuss',
    'steps[0].applyy',
    'extra',
  ])
})
