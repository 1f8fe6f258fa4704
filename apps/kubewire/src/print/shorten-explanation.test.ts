import { printExplanation } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { shortenExplanation } from './shorten-explanation.ts'

describe('an explanation in text', () => {
  it('joins plugins that only hand on an answer', () => {
    const chain = {
      where: 'dns://:53: A x.',
      what: 'NXDOMAIN',
      steps: [{ where: 'plugin errors', what: 'NXDOMAIN', steps: [{ where: 'plugin cache', what: 'NXDOMAIN' }] }],
    }
    expect(printExplanation(shortenExplanation(chain))).toBe(
      'dns://:53: A x.: NXDOMAIN\n  plugin errors > cache: NXDOMAIN\n',
    )
  })

  it('does not print a long answer twice', () => {
    const answer = `NOERROR, ${'tea.shop.svc.cluster.local. 5 IN A 10.96.4.4 | '.repeat(3)}`
    const chain = { where: 'q', what: `A → ${answer}`, steps: [{ where: 'plugin kubernetes', what: answer }] }
    expect(shortenExplanation(chain).steps?.[0]?.what).toBe('gives this answer')
  })

  it('shows the first of several ways in full, the others by their ends', () => {
    const way = (name: string, probability: number): object => ({
      where: `rule ${name}`,
      what: `jumps to ${name}`,
      probability,
      steps: [
        { where: 'nat', what: 'gets a destination' },
        { where: 'filter', what: 'x', steps: [{ where: 'result', what: `reaches ${name}`, probability }] },
      ],
    })
    const tree = { where: 'packet', what: 'goes', steps: [way('a', 0.5), way('b', 0.5)] } as never
    expect(printExplanation(shortenExplanation(tree))).toBe(`packet: goes
  rule a: jumps to a [50%]
    nat: gets a destination
    filter: x
      result: reaches a [50%]
  rule b: jumps to b [50%]
    result: reaches b [50%]
`)
  })

  it('leaves a single way as it is', () => {
    const tree = {
      where: 'packet',
      what: 'goes',
      steps: [{ where: 'a', what: 'x', steps: [{ where: 'b', what: 'y' }] }],
    }
    expect(printExplanation(shortenExplanation(tree))).toBe(printExplanation(tree))
  })
})
