import type { Explanation, Problem } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { type Output, reportExplained, reportProblems } from './output.ts'

function outputOf(isVerbose = false): Output & { readonly notes: string[]; readonly texts: string[] } {
  const notes: string[] = []
  const texts: string[] = []
  return {
    notes,
    texts,
    data: (text) => void texts.push(text),
    note: (text) => void notes.push(text.trimEnd()),
    readStdin: async () => '',
    hasColour: false,
    isVerbose,
  }
}

const about = (name: string, code: string): Problem => ({
  code,
  severity: 'warning',
  object: { kind: 'Service', namespace: 'shop', name },
  path: '',
  message: 'm',
  fallback: '',
})
const assumed = ['a', 'b', 'c'].flatMap((name) => [
  about(name, 'CLI_ASSUMED_ADDRESS'),
  about(name, 'CLI_ASSUMED_ENDPOINTS'),
])

describe('assumptions', () => {
  it('are summed up in one line', () => {
    const output = outputOf()
    expect(reportProblems(output, assumed)).toBe(0)
    expect(output.notes).toEqual([
      'assumed, as a cluster would give them: addresses of 3 Services, endpoints of 3 Services (-v lists them)',
    ])
  })

  it('are listed when there are few, when -v is given, and for objects that the answer is about', () => {
    const [few, verbose, concerned] = [outputOf(), outputOf(true), outputOf()]
    reportProblems(few, assumed.slice(0, 2))
    reportProblems(verbose, assumed)
    reportProblems(concerned, assumed, new Set(['Service shop/b']))
    expect(few.notes).toHaveLength(2)
    expect(verbose.notes).toHaveLength(6)
    expect(concerned.notes).toEqual([
      'warning: Service shop/b: m (CLI_ASSUMED_ADDRESS)',
      'warning: Service shop/b: m (CLI_ASSUMED_ENDPOINTS)',
      'assumed, as a cluster would give them: addresses of 2 Services, endpoints of 2 Services (-v lists them)',
    ])
  })
})

describe('an explanation', () => {
  const origin = [{ kind: 'Service', namespace: 'shop', name: 'b' }]
  const explanation: Explanation = { where: 'x', what: 'y', origin }

  it('leaves out problems of other objects, and says how many', () => {
    const output = outputOf()
    const others = ['1', '2', '3', '4', '5', '6'].map((name) => about(name, 'NGX_X'))
    expect(reportExplained(output, 'text', explanation, [about('b', 'NGX_Y'), ...others])).toBe(0)
    expect(output.notes).toEqual([
      'warning: Service shop/b: m (NGX_Y)',
      '6 problems of other objects are left out (-v lists them)',
    ])
  })

  it('tells what was left out of the input, and what concerns every object', () => {
    const output = outputOf()
    const settings: Problem = { ...about('x', 'NGX_X'), object: { kind: 'ConfigMap', namespace: 'a', name: 'b' } }
    reportExplained(output, 'text', explanation, [about('1', 'CLI_OBJECT_SHAPE'), settings, about('2', 'NGX_X')])
    expect(output.notes).toEqual([
      'warning: Service shop/1: m (CLI_OBJECT_SHAPE)',
      'warning: ConfigMap a/b: m (NGX_X)',
      '1 problem of another object is left out (-v lists it)',
    ])
  })

  it('joins plugins that only hand on an answer, in text alone', () => {
    const chain: Explanation = {
      where: 'dns://:53: A x.',
      what: 'NXDOMAIN',
      steps: [{ where: 'plugin errors', what: 'NXDOMAIN', steps: [{ where: 'plugin cache', what: 'NXDOMAIN' }] }],
    }
    const output = outputOf()
    reportExplained(output, 'text', chain, [])
    reportExplained(output, 'json', chain, [])
    expect(output.texts[0]).toBe('dns://:53: A x.: NXDOMAIN\n  plugin errors > cache: NXDOMAIN\n')
    expect(JSON.parse(output.texts[1] ?? '')).toEqual(chain)
  })

  it('has two formats', () => {
    expect(() => reportExplained(outputOf(), 'yaml', explanation, [])).toThrow(/expected -o text or -o json/)
  })
})
