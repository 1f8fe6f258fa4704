import { createMetrics } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { createControllerMetrics, kindOfReason } from './metrics.ts'

describe('The metric of reload reasons counts by kind', () => {
  it.each([
    ['start', 'start'],
    ['setting hsts changed', 'setting'],
    ['host tea.example.org added', 'host'],
    ['host tea.example.org path prefix /cups changed', 'path'],
    ['stream service TCP 9000 changed', 'stream'],
    ['content of a file changed', 'file'],
    ['default certificate changed', 'certificate'],
    ['and 12 more', 'other'],
  ])('%s → %s', (reason, kind) => expect(kindOfReason(reason)).toBe(kind))
})

describe('What there is one of per Ingress', () => {
  const labels = { controller_namespace: 'ingress', controller_class: 'k8s.io/ingress-nginx', controller_pod: 'pod-0' }
  const front = { namespace: 'shop', ingress: 'front', type: 'no-service' } as const

  it('is counted when the metrics are asked for, and once', async () => {
    const metrics = createMetrics()
    const own = createControllerMetrics(metrics, labels, '1', 'nginx')
    let asked = 0
    own.orphans(() => {
      asked++
      return [{ ...front, isOrphan: true }]
    })
    expect(asked).toBe(0)
    const series = /^nginx_ingress_controller_orphan_ingress\{.*ingress="front",type="no-service"\} 1$/m
    expect(await metrics.text()).toMatch(series)
    expect(await metrics.text()).toMatch(series)
    expect(asked).toBe(1)
  })

  it('goes with the Ingress', async () => {
    const metrics = createMetrics()
    const own = createControllerMetrics(metrics, labels, '1', 'nginx')
    own.orphans(() => [{ ...front, isOrphan: true }])
    await metrics.text()
    own.orphans(() => [])
    expect(await metrics.text()).not.toContain('ingress="front"')
  })
})
