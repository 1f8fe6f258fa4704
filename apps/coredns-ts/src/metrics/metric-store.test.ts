import { metricDefinitions } from '@kubewire/dns-core'
import { describe, expect, it } from 'vitest'
import { createMetricStore } from './metric-store.ts'

const linesOf = (text: string, name: string): string[] => text.split('\n').filter((line) => line.startsWith(name))

describe('the metrics of the daemon', () => {
  it('count, set and print under their names and labels', () => {
    const store = createMetricStore(metricDefinitions)
    store.add('coredns_cache_misses_total', ['dns://:53', '.', ''])
    store.add('coredns_cache_misses_total', ['dns://:53', '.', ''], 2)
    store.set('coredns_hosts_entries', ['/etc/"hosts"'], 7)
    const text = store.text()
    expect(linesOf(text, 'coredns_cache_misses_total')).toEqual([
      'coredns_cache_misses_total{server="dns://:53",zones=".",view=""} 3',
    ])
    expect(linesOf(text, 'coredns_hosts_entries')).toEqual(['coredns_hosts_entries{hostsfile="/etc/\\"hosts\\""} 7'])
  })

  it('print counters without labels from the start and histograms as sums of buckets', () => {
    const store = createMetricStore(metricDefinitions)
    for (const seconds of [0.0001, 0.0003, 5000])
      store.observe('coredns_dns_request_duration_seconds', ['s', 'z', ''], seconds)
    const text = store.text()
    expect(linesOf(text, 'coredns_panics_total')).toEqual(['coredns_panics_total 0'])
    const buckets = linesOf(text, 'coredns_dns_request_duration_seconds_bucket').map((line) =>
      line.replace(/.*le=/, ''),
    )
    expect(buckets.slice(0, 3)).toEqual(['"0.00025"} 1', '"0.0005"} 2', '"0.001"} 2'])
    expect(buckets.slice(-1)).toEqual(['"+Inf"} 3'])
  })

  it('refuse a name that is not defined', () => {
    expect(() => createMetricStore(metricDefinitions).add('coredns_nonsense_total', [])).toThrow(
      'coredns_nonsense_total',
    )
  })
})
