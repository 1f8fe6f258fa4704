import { describe, expect, it } from 'vitest'
import { loadConfiguration } from './config/load.ts'
import { configurationData, printConfiguration } from './config/print.ts'
import { readFlags } from './flags.ts'

const load = (argv: readonly string[], text = '') => loadConfiguration(readFlags(argv), async () => text)
const head = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

describe('the command line', () => {
  it.each([
    [['--cluster-cidr=10.244.0.0/16'], { clusterCIDR: '10.244.0.0/16' }],
    [['--iptables-min-sync-period=0'], { iptables: { minSyncPeriod: '0s' } }],
    [['--masquerade-all', '--iptables-masquerade-bit', '3'], { iptables: { masqueradeAll: true, masqueradeBit: 3 } }],
    [['--nodeport-addresses=primary,10.0.0.0/8'], { nodePortAddresses: ['primary', '10.0.0.0/8'] }],
    [['--healthz-port=1234'], { healthzBindAddress: '0.0.0.0:1234' }],
    [['--bind-address=::'], { metricsBindAddress: '[::1]:10249' }],
    [['--conntrack_max_per_core=0'], { conntrack: { maxPerCore: 0 } }],
  ])('%j', async (argv, wanted) => {
    const { configuration, problems } = await load(argv)
    expect(problems).toEqual([])
    expect(configuration && configurationData(configuration)).toMatchObject(wanted)
  })

  it('gives way to a file, except for the node name and the verbosity', async () => {
    const argv = ['--config=F', '--cluster-cidr=10.9.0.0/16', '--hostname-override= Edge-1 ', '-v=4']
    const { configuration } = await load(argv, `${head}clusterCIDR: 10.244.0.0/16\n`)
    expect(configuration?.clusterCidrs).toEqual(['10.244.0.0/16'])
    expect(configuration?.hostnameOverride).toBe('edge-1')
    expect(configuration?.verbosity).toBe(4)
  })

  it('is refused with a reason: unknown flags, wrong values, a blank node name', async () => {
    for (const argv of [
      ['--nonsense'],
      ['--bind-address=here'],
      ['--hostname-override=  '],
      ['--oom-score-adj=5000'],
    ]) {
      const { configuration, problems } = await load(argv)
      expect(configuration).toBeUndefined()
      expect(problems.length).toBeGreaterThan(0)
    }
  })

  it('switches the metrics server off with an empty address', async () => {
    expect((await load(['--metrics-bind-address='])).configuration?.metricsBindAddress).toBe('')
  })

  it('prints the defaults as kube-proxy --write-config-to does', async () => {
    const { configuration } = await load([])
    const text = configuration === undefined ? '' : printConfiguration(configuration)
    expect(text.split('\n').slice(0, 12)).toEqual([
      'apiVersion: kubeproxy.config.k8s.io/v1alpha1',
      'bindAddress: 0.0.0.0',
      'bindAddressHardFail: false',
      'clientConnection:',
      '  acceptContentTypes: ""',
      '  burst: 10',
      '  contentType: application/vnd.kubernetes.protobuf',
      '  kubeconfig: ""',
      '  qps: 5',
      'clusterCIDR: ""',
      'configSyncPeriod: 15m0s',
      'conntrack:',
    ])
  })
})
