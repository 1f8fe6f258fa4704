import { createMetrics } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { createRequestMetrics, type RequestMetricsOptions } from './request-metrics.ts'

const labels = { controller_namespace: 'edge', controller_class: 'k8s.io/ingress-nginx', controller_pod: 'edge-0' }
const defaults: RequestMetricsOptions = {
  labels,
  perHost: true,
  perUndefinedHost: false,
  statusClasses: false,
  excluded: [],
  timeBuckets: [0.1, 1],
  lengthBuckets: [10, 100],
  sizeBuckets: [10, 1000],
}

// host, namespace, ingress, service, canary, path, method, status, then sizes and times as the Lua side sends them
const row = (host: string, status: string): readonly (string | number)[] => [
  host,
  'shop',
  'tea',
  'tea',
  '',
  '/',
  'GET',
  status,
  80,
  0.05,
  0.001,
  0.01,
  0.02,
  200,
  300,
]

async function exposition(
  options: Partial<RequestMetricsOptions>,
  rows: readonly ReturnType<typeof row>[],
): Promise<string> {
  const metrics = createMetrics()
  const requests = createRequestMetrics(metrics, { ...defaults, ...options })
  requests.setKnown(new Set(['tea.example.org', '*.wild.example.org']), new Set(['shop/tea']))
  requests.take(rows)
  return metrics.text()
}

describe('request metrics', () => {
  const counter = 'nginx_ingress_controller_requests'
  it('name no path where no Ingress answers', async () => {
    const [host, , , , ...rest] = row('nobody.example.org', '404')
    const text = await exposition({ perUndefinedHost: true }, [[host ?? '', '', '', '', ...rest]])
    expect(text).toMatch(
      /_requests\{[^}]*path="",namespace="",ingress="",service="",canary="",host="nobody\.example\.org"\} 1/,
    )
  })

  it('count a request with the labels of its location', async () => {
    const text = await exposition({}, [row('tea.example.org', '200'), row('tea.example.org', '200')])
    const line = text.split('\n').find((one) => one.startsWith(`${counter}{`)) ?? ''
    for (const label of [
      'namespace="shop"',
      'ingress="tea"',
      'service="tea"',
      'path="/"',
      'host="tea.example.org"',
      'status="200"',
      'canary=""',
    ]) {
      expect(line).toContain(label)
    }
    expect(line).toMatch(/ 2$/)
  })

  const rows: readonly (readonly [
    fact: string,
    options: Partial<RequestMetricsOptions>,
    row: ReturnType<typeof row>,
    has: RegExp,
    isThere: boolean,
  ])[] = [
    ['hosts of a mask count under the mask', {}, row('a.wild.example.org', '200'), /host="\*\.wild/, true],
    [
      'or by themselves where each host is asked for',
      { perUndefinedHost: true },
      row('a.wild.example.org', '200'),
      /host="a\.wild/,
      true,
    ],
    [
      'hosts of no Ingress count where hosts are no label',
      { perHost: false },
      row('x.example.net', '200'),
      /requests\{.*ingress="tea".*\} 1$/m,
      true,
    ],
    ['hosts of no Ingress are not counted', {}, row('x.example.net', '200'), /host="x\.example\.net"/, false],
    [
      'unless that is asked for',
      { perUndefinedHost: true },
      row('x.example.net', '200'),
      /host="x\.example\.net"/,
      true,
    ],
    ['classes instead of codes', { statusClasses: true }, row('tea.example.org', '404'), /status="4xx"/, true],
    ['no host label where it is off', { perHost: false }, row('tea.example.org', '200'), /host="/, false],
    [
      'a metric that is left out is not there',
      { excluded: ['response_size'] },
      row('tea.example.org', '200'),
      /response_size/,
      false,
    ],
    [
      'durations are histograms in seconds',
      {},
      row('tea.example.org', '200'),
      /request_duration_seconds_bucket\{le="0\.1"/,
      true,
    ],
  ]
  it.each(rows)('%s', async (_, options, one, has, isThere) => {
    expect(has.test(await exposition(options, [one]))).toBe(isThere)
  })

  it('forget the series of Ingresses that are gone', async () => {
    const metrics = createMetrics()
    const requests = createRequestMetrics(metrics, defaults)
    requests.setKnown(new Set(['tea.example.org']), new Set(['shop/tea']))
    requests.take([row('tea.example.org', '200')])
    requests.setKnown(new Set(), new Set())
    expect(await metrics.text()).not.toContain('ingress="tea"')
  })
})
