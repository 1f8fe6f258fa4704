import { describe, expect, it } from 'vitest'
import { listQueryNames, queryFaults, readExposed } from './query-names.ts'

describe('a query names', () => {
  it.each([
    ['up', 'up'],
    ['sum(rate(a_total{code!="200"}[5m])) > 0', 'a_total code'],
    ['sum by (x) (rate(a[5m])) / sum by (y) (b)', 'a x, b y'],
    [
      'histogram_quantile(0.99, sum by (instance, le) (rate(a_bucket{i=~"$i",j="}"}[5m]))) > 1',
      'a_bucket i instance j le',
    ],
    ['a - b > 60', 'a, b'],
    ['min by (host) (a{host!=""}) - time() < 7 * 24 * 3600', 'a host'],
    ['topk(10, max by (t) (a)) or vector(0)', 'a t'],
  ])('%s: %s', (query, names) => {
    const printed = listQueryNames(query).map(({ metric, labels }) => [metric, ...labels].join(' '))
    expect(printed.join(', ')).toBe(names)
  })
})

describe('a query is wrong when', () => {
  const exposed = readExposed(
    [
      ...['# TYPE a counter', 'a{code="200",namespace="shop"} 1', '# TYPE quiet_total counter'],
      ...['# TYPE took_seconds histogram', 'took_seconds_bucket{le="+Inf"} 3'],
    ].join('\n'),
  )
  it.each([
    ['sum by (code) (a{namespace="shop",instance="x"})', []],
    ['rate(quiet_total[5m]) + sum by (le) (took_seconds_bucket) + took_seconds_count', []],
    ['b', ['b is not exposed']],
    ['took_seconds', ['took_seconds is not exposed']],
    ['sum by (method) (a)', ['a has no label method']],
    ['a{exported_namespace="shop"}', ['a has no label exported_namespace']],
    ['sum by (code) (quiet_total)', ['quiet_total has no series, so nothing shows that it has the label code']],
  ])('%s: %j', (query, faults) => {
    expect(queryFaults(query, exposed)).toEqual(faults)
  })
})
