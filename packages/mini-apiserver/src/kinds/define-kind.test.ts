import { describe, expect, it } from 'vitest'
import { printAge } from './define-kind.ts'
import { builtInKinds } from './registry.ts'

describe('ages as kubectl writes them', () => {
  it.each([
    [5, '5s'],
    [119, '119s'],
    [125, '2m5s'],
    [3600, '60m'],
    [3 * 3600 + 600, '3h10m'],
    [30 * 3600, '30h'],
    [3 * 86400 + 7200, '3d2h'],
    [40 * 86400, '40d'],
    [800 * 86400, '2y70d'],
  ])('%d seconds: %s', (seconds, wanted) => {
    expect(printAge('2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1) + seconds * 1000)).toBe(wanted)
  })

  it('no time is unknown', () => expect(printAge(undefined, 0)).toBe('<unknown>'))
})

describe('the built-in kinds', () => {
  it('no two share group, version and plural', () => {
    const paths = builtInKinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`)
    expect(new Set(paths).size).toBe(paths.length)
  })
})
