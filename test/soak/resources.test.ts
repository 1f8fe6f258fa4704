import { describe, expect, it } from 'vitest'
import { type Sample, slopePerHour } from './resources.ts'

const sample = (minute: number, residentMiB: number, pid = 1): Sample => ({
  atMs: minute * 60_000,
  pid,
  residentMiB,
  handles: 20,
})

describe('the slope of memory', () => {
  it.each<readonly [string, readonly Sample[], number]>([
    ['is nothing for a level line', [1, 2, 3, 4].map((minute) => sample(minute, 100)), 0],
    ['is per hour', [0, 1, 2, 3].map((minute) => sample(minute, 100 + minute)), 60],
    ['leaves the first minutes out', [sample(0, 10), ...[1, 2, 3].map((minute) => sample(minute, 100))], 0],
    ['is that of the last process', [sample(0, 500), sample(1, 700), ...[2, 3, 4, 5].map((m) => sample(m, 100, 2))], 0],
  ])('%s', (_, samples, slope) => {
    expect(slopePerHour(samples, ({ residentMiB }) => residentMiB, 60_000)).toBeCloseTo(slope)
  })

  it('is unknown for fewer than three looks', () => {
    expect(slopePerHour([sample(0, 1), sample(1, 2)], ({ handles }) => handles, 0)).toBeNaN()
  })
})
