// The queries of ingress-nginx's two dashboards against our exposition, scraped as Prometheus does it: its own labels
// `namespace`, `pod` and `instance` win, and ours of that name become `exported_namespace`. What a panel selects by and sums
// by are facts of the dashboards of ingress-nginx 1.15 (nginx.json, request-handling-performance.json).

import { createMetrics } from '@kubewire/daemon-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createControllerMetrics } from './metrics/metrics.ts'
import { registerNginxMetrics } from './metrics/nginx-metrics.ts'
import { createRequestMetrics } from './metrics/request-metrics.ts'

type Labels = { readonly [name: string]: string }

const labels = { controller_namespace: 'edge', controller_class: 'k8s.io/ingress-nginx', controller_pod: 'edge-0' }
const target = { namespace: 'edge', pod: 'edge-0', instance: '192.0.2.7:10254', job: 'ingress' }

let series: readonly { readonly name: string; readonly labels: Labels; readonly value: number }[]

beforeAll(async () => {
  const metrics = createMetrics()
  const controller = createControllerMetrics(metrics, labels, '1.0.0', 'nginx')
  const page = 'Active connections: 3 \nserver accepts handled requests\n 10 9 25 \nReading: 0 Writing: 1 Waiting: 2 \n'
  registerNginxMetrics(metrics, labels, { status: async () => page, masterPid: () => process.pid })
  const requests = createRequestMetrics(metrics, {
    ...{ labels, perHost: true, perUndefinedHost: false, statusClasses: false, excluded: [] },
    ...{ timeBuckets: [0.1, 1], lengthBuckets: [100], sizeBuckets: [1000] },
  })
  controller.reloaded(true, ['start'])
  controller.configHash(7)
  controller.certificates([
    {
      ...{ host: 'tea.example.org', namespace: 'shop', secretName: 'tea', identifier: 'shop-tea' },
      ...{ issuerCommonName: 'ca', issuerOrganization: '', serialNumber: '1', publicKeyAlgorithm: 'ECDSA' },
      notAfterMs: Date.UTC(2030, 0),
    },
  ])
  requests.setKnown(new Set(['tea.example.org']), new Set(['shop/front']))
  const row = (status: string) => ['tea.example.org', 'shop', 'front', 'tea', '', '/cups', 'GET', status]
  const numbers = [80, 0.05, 0.001, 0.01, 0.02, 200, 300]
  requests.take([
    [...row('200'), ...numbers],
    [...row('502'), ...numbers],
  ])
  series = readExposition(await metrics.text()).map((one) => ({ ...one, labels: scraped(one.labels) }))
})

function readExposition(text: string): { readonly name: string; readonly labels: Labels; readonly value: number }[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', inside = '', value]) => ({
    name,
    labels: Object.fromEntries([...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, k = '', v = '']) => [k, v])),
    value: Number(value),
  }))
}

function scraped(own: Labels): Labels {
  const renamed = Object.entries(own).map(([name, value]) => [name in target ? `exported_${name}` : name, value])
  return { ...Object.fromEntries(renamed), ...target }
}

const controller = { controller_pod: /^edge-0$/, controller_class: /^k8s\.io\/ingress-nginx$/, namespace: /^edge$/ }
const { namespace: _, ...inPod } = { ...controller, controller_namespace: /^edge$/ }
const ofIngress = { exported_namespace: /^shop$/, ingress: /^front$/ }
const requestLabels = ['method', 'host', 'path']

describe('the dashboards of ingress-nginx find', () => {
  const prefix = 'nginx_ingress_controller_'
  const rows: readonly (readonly [
    panel: string,
    metric: string,
    matchers: { readonly [label: string]: RegExp },
    by: readonly string[],
  ])[] = [
    ['reloads', 'config_last_reload_successful_timestamp_seconds', { controller_class: /./ }, ['controller_class']],
    ['request volume', 'requests', controller, []],
    ['connections', 'nginx_process_connections', { ...inPod, state: /^active$/ }, []],
    ['success rate, all', 'requests', { ...controller, status: /^(?![4-5])/ }, []],
    ['config reloads', 'success', inPod, []],
    ['last configuration failed', 'config_last_reload_successful', inPod, []],
    ['ingress request volume', 'requests', { ...inPod, ...ofIngress }, ['ingress']],
    ['ingress success rate', 'requests', { ...controller, ...ofIngress, status: /^(?![4-5])/ }, ['ingress']],
    ['bytes in', 'request_size_sum', inPod, []],
    ['bytes out', 'response_size_sum', inPod, []],
    ['memory', 'nginx_process_resident_memory_bytes', inPod, []],
    ['CPU', 'nginx_process_cpu_seconds_total', inPod, []],
    ['percentiles', 'request_duration_seconds_bucket', { ...inPod, ...ofIngress }, ['le', 'ingress']],
    ['bytes in of an ingress', 'request_size_sum', { ...inPod, ...ofIngress }, ['ingress']],
    ['bytes out of an ingress', 'response_size_sum', { ...inPod, ...ofIngress }, ['ingress']],
    ['certificate expiry', 'ssl_expire_time_seconds', { namespace: /^edge$/ }, ['host']],
    ['variable namespace', 'config_hash', {}, ['controller_namespace']],
    ['variable controller class', 'config_hash', { namespace: /^edge$/ }, ['controller_class']],
    ['variable controller', 'config_hash', { controller_class: /./ }, ['controller_pod']],
    ['variable exported namespace', 'requests', controller, ['exported_namespace']],
    ['variable ingress', 'requests', controller, ['ingress']],
    ['total request handling time', 'request_duration_seconds_bucket', { ingress: /^front$/ }, ['le']],
    ['upstream response time', 'response_duration_seconds_bucket', { ingress: /^front$/ }, ['le', ...requestLabels]],
    ['request volume by path', 'request_duration_seconds_count', { ingress: /^front$/ }, requestLabels],
    ['errors by path', 'request_duration_seconds_count', { ingress: /^front$/, status: /^[4-5]/ }, requestLabels],
    ['errors by status', 'request_duration_seconds_count', { status: /^[4-5]/ }, [...requestLabels, 'status']],
    ['time by path', 'response_duration_seconds_sum', { ingress: /^front$/ }, requestLabels],
    ['average response size, sum', 'response_size_sum', { ingress: /^front$/ }, requestLabels],
    ['average response size, count', 'response_size_count', { ingress: /^front$/ }, requestLabels],
    ['response sizes', 'response_size_bucket', { ingress: /^front$/ }, ['le']],
  ]
  it.each(rows)('%s', (_panel, metric, matchers, by) => {
    const found = series.filter(
      ({ name, labels: own }) =>
        name === prefix + metric &&
        Object.entries(matchers).every(([label, pattern]) => pattern.test(own[label] ?? '')),
    )
    expect(found.length).toBeGreaterThan(0)
    for (const one of found) {
      expect(Number.isFinite(one.value)).toBe(true)
      for (const label of by) expect(one.labels[label], label).toMatch(/./)
    }
  })
})
