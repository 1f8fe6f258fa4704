import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('annotations of modules that are not there', () => {
  it.each([['enable-opentelemetry']])('%s is reported and changes nothing', (name) => {
    const built = shop({ annotations: { [name]: 'true' } })
    expect(built.problems.map(({ code }) => code)).toEqual(['NGX_ANNOTATION_UNAVAILABLE'])
    expect(locationLines(built)).toEqual(locationLines(shop()))
  })

  it('annotations that nothing reads any more are reported', () => {
    const built = shop({ annotations: { 'influxdb-host': 'x' } })
    expect(built.problems.map(({ code }) => code)).toEqual(['NGX_ANNOTATION_UNAVAILABLE'])
  })
})
