import { describe, expect, it } from 'vitest'
import { sumExpositions } from './sum-expositions.ts'

const metric = (kind: string, name: string, ...samples: readonly string[]): string =>
  `# HELP ${name} Text.\n# TYPE ${name} ${kind}\n${samples.join('\n')}\n`

describe('expositions of several processes', () => {
  it.each([
    [
      'counters are added by their labels',
      [
        metric('counter', 'a_total', 'a_total{x="1"} 2', 'a_total{x="2"} 3'),
        metric('counter', 'a_total', 'a_total{x="2"} 4'),
      ],
      metric('counter', 'a_total', 'a_total{x="1"} 2', 'a_total{x="2"} 7'),
    ],
    [
      'so are the buckets, sums and counts of histograms',
      [1, 2].map((n) =>
        metric('histogram', 'h', `h_bucket{le="1"} ${n}`, `h_bucket{le="+Inf"} ${n}`, `h_sum ${n / 2}`, `h_count ${n}`),
      ),
      metric('histogram', 'h', 'h_bucket{le="1"} 3', 'h_bucket{le="+Inf"} 3', 'h_sum 1.5', 'h_count 3'),
    ],
    [
      'entries of caches and memory are added',
      [1, 2].map((n) => metric('gauge', 'coredns_cache_entries', `coredns_cache_entries{type="success"} ${n}`)),
      metric('gauge', 'coredns_cache_entries', 'coredns_cache_entries{type="success"} 3'),
    ],
    [
      'what says that something is so stays one',
      [1, 1].map((n) => metric('gauge', 'coredns_plugin_enabled', `coredns_plugin_enabled{name="cache"} ${n}`)),
      metric('gauge', 'coredns_plugin_enabled', 'coredns_plugin_enabled{name="cache"} 1'),
    ],
    [
      'what only one of them has is kept, with a space in a label',
      [metric('counter', 'a_total', 'a_total 1'), metric('counter', 'b_total', 'b_total{x="a b"} 1')],
      metric('counter', 'a_total', 'a_total 1') + metric('counter', 'b_total', 'b_total{x="a b"} 1'),
    ],
  ])('%s', (_name, texts, sum) => {
    expect(sumExpositions(texts)).toBe(sum)
  })
})
