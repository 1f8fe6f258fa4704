import { describe, expect, it } from 'vitest'
import { grantedCpus } from './granted-cpus.ts'

describe('CPUs of a control group', () => {
  it.each([
    ['a quota is rounded up', '150000 100000\n', 2],
    ['a small one is one', '20000 100000\n', 1],
    ['no more than there are', '6400000 100000\n', 8],
    ['without a quota nginx counts', 'max 100000\n', undefined],
    ['without a quota in version 1 it counts, too', '-1 100000', undefined],
    ['so it does without a control group', '', undefined],
  ] as const)('%s', (_, text, cpus) => {
    expect(grantedCpus(text, 8)).toBe(cpus)
  })
})
