// Limits and numbers of requests to the API server, over a cluster whose answers the test holds.

import { type MetricDefinition, metricDefinitions } from '@kubewire/dns-core'
import type { Cluster, ListPage, ResourceSource } from '@kubewire/informer'
import { Services } from '@kubewire/informer/resources'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { meterCluster } from './metered-cluster.ts'
import { createMetricStore } from './metrics/metric-store.ts'

const page: ListPage<never> = { items: [], resourceVersion: '1' }

function heldCluster(): { cluster: Cluster; readonly started: number; finish(): void } {
  const pending: (() => void)[] = []
  let started = 0
  const source: ResourceSource<never> = {
    list: () => {
      started++
      return new Promise((resolve) => pending.push(() => resolve(page)))
    },
    watch: () => Promise.reject(new Error('refused')),
  }
  const cluster = { source: () => source, request: () => Promise.reject(new Error()), close: () => Promise.resolve() }
  return {
    cluster: cluster as unknown as Cluster,
    get started() {
      return started
    },
    finish: () => pending.shift()?.(),
  }
}

const signal = new AbortController().signal

describe('requests to the API server', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are never more at one time than the limit', async () => {
    const held = heldCluster()
    const metrics = createMetricStore(metricDefinitions)
    const limits = { qps: 100, burst: 100, maxInflight: 1 }
    const source = meterCluster(held.cluster, { limits, host: 'api.example:6443', metrics }).source(Services)
    const both = Promise.all([source.list({}, signal), source.list({}, signal)])
    await vi.advanceTimersByTimeAsync(0)
    expect(held.started).toBe(1)
    held.finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(held.started).toBe(2)
    held.finish()
    await both
  })

  it('wait for their turn when there are more than the burst', async () => {
    const held = heldCluster()
    const metrics = createMetricStore(metricDefinitions)
    const limits = { qps: 2, burst: 1, maxInflight: 0 }
    const source = meterCluster(held.cluster, { limits, host: 'api.example:6443', metrics }).source(Services)
    void source.list({}, signal)
    void source.list({}, signal)
    await vi.advanceTimersByTimeAsync(400)
    expect(held.started).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(held.started).toBe(2)
  })

  it('are counted by how they ended', async () => {
    const held = heldCluster()
    const metrics = createMetricStore(metricDefinitions)
    const limits = { qps: 0, burst: 0, maxInflight: 0 }
    const source = meterCluster(held.cluster, { limits, host: 'api.example:6443', metrics }).source(Services)
    const listed = source.list({}, signal)
    await vi.advanceTimersByTimeAsync(0)
    held.finish()
    await listed
    await expect(source.watch({}, signal)).rejects.toThrow('refused')
    const names = metricDefinitions
      .map(({ name }: MetricDefinition) => name)
      .filter((name) => name.includes('rest_client'))
    const text = metrics.text()
    expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
    expect(text).toContain('requests_total{code="200",method="GET",host="api.example:6443"} 1')
    expect(text).toContain('requests_total{code="<error>",method="GET",host="api.example:6443"} 1')
  })
})
