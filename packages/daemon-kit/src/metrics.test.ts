import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('values are exposed under their names, and two registries do not know each other', async () => {
  const metrics = createMetrics()
  const requests = metrics.counter({ name: 'coredns_dns_requests_total', help: 'requests', labelNames: ['type'] })
  requests.inc({ type: 'A' }, 2)
  metrics.histogram({ name: 'h_seconds', help: 'h', buckets: [0.1, 1] }).observe(0.5)
  const text = await metrics.text()
  expect(text).toContain('coredns_dns_requests_total{type="A"} 2\n')
  expect(text).toContain('h_seconds_bucket{le="1"} 1\n')
  expect(await createMetrics().text()).not.toContain('coredns_dns_requests_total')
})

test('the process shows its start, memory, time and files', async () => {
  const text = await createMetrics().text()
  for (const name of ['start_time_seconds', 'resident_memory_bytes', 'cpu_seconds_total', 'open_fds']) {
    expect(text).toMatch(new RegExp(`^process_${name} [0-9.e+]+$`, 'm'))
  }
})
