import { createLog, fakeClock } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { withDefaults } from '../config/defaults.ts'
import { createProxyMetrics } from '../metrics.ts'
import { initialHealth } from './proxy-health.ts'
import { serveHealth, serveMetrics, splitHostPort } from './servers.ts'

const options = (address: string) => ({
  configuration: withDefaults(
    new Map([
      ['healthzBindAddress', address],
      ['metricsBindAddress', address],
    ]),
  ),
  process: { flags: new Map([['v', '0']]), startMs: 0, version: '1.37.2', runtime: 'test' },
  metrics: createProxyMetrics(['IPv4']),
  clock: fakeClock(),
  wallMs: () => Date.parse('2026-01-01T00:00:00Z'),
  log: createLog({ format: 'json', write: () => {} }),
  health: () => initialHealth,
  isNodeEligible: () => false,
})

describe('the servers', () => {
  it.each([
    ['127.0.0.1:10249', { address: '127.0.0.1', port: 10_249 }],
    ['[::1]:10249', { address: '::1', port: 10_249 }],
  ])('listen on %s', (text, wanted) => expect(splitHostPort(text)).toEqual(wanted))

  it('say on /healthz that the node is not eligible, and on /livez that the proxy lives', async () => {
    const server = await serveHealth(options('127.0.0.1:0'))
    const base = `http://127.0.0.1:${server.port}`
    const [healthz, livez] = [await fetch(`${base}/healthz`), await fetch(`${base}/livez`)]
    expect([healthz.status, livez.status]).toEqual([503, 200])
    const currentTime = '2026-01-01T00:00:00Z'
    expect(await healthz.json()).toMatchObject({ nodeEligible: false, healthy: true, currentTime })
    await server.close()
  })

  it('tell mode, configuration and metrics', async () => {
    const server = await serveMetrics(options('127.0.0.1:0'))
    const text = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text()
    expect(await text('/proxyMode')).toBe('iptables')
    expect(await text('/healthz')).toBe('ok')
    expect(await text('/metrics/slis')).toContain('healthchecks_total{name="ping",status="success",type="healthz"} 1')
    expect(await text('/healthz?verbose')).toBe('[+]ping ok\nhealthz check passed\n')
    expect(await text('/flagz')).toContain('\nv:0\n')
    expect(await text('/statusz')).toContain('\nBinary version: 1.37.2\n')
    expect(JSON.parse(await text('/configz'))).toMatchObject({ 'kubeproxy.config.k8s.io': { mode: 'iptables' } })
    expect(await text('/metrics')).toContain('git_version="v1.37.2"')
    expect(await text('/metrics')).toContain(
      'kubeproxy_sync_proxy_rules_iptables_restore_failures_total{ip_family="IPv4"} 0',
    )
    await server.close()
  })

  it('do not show flags and state when the feature gates are off', async () => {
    const plain = options('127.0.0.1:0')
    const featureGates = { ComponentFlagz: false, AllBeta: false }
    const server = await serveMetrics({ ...plain, configuration: { ...plain.configuration, featureGates } })
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status
    expect([await status('/flagz'), await status('/statusz')]).toEqual([404, 404])
    await server.close()
  })
})
