import { describe, expect, it } from 'vitest'
import { loadConfiguration } from './config/load.ts'
import { configurationData, printConfiguration } from './config/print.ts'
import { readFlags } from './flags.ts'

const load = (argv: readonly string[], text = '') => loadConfiguration(readFlags(argv), async () => text)
const head = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

// There is one pair of periods; the section of the active mode shows it.
const activeNftables = {
  iptables: { syncPeriod: '0s', minSyncPeriod: '0s', masqueradeAll: false },
  nftables: { syncPeriod: '5s', minSyncPeriod: '1s', masqueradeAll: true },
}

describe('the command line', () => {
  it.each([
    [['--cluster-cidr=10.244.0.0/16'], { clusterCIDR: '10.244.0.0/16' }],
    [['--iptables-min-sync-period=0'], { iptables: { minSyncPeriod: '0s' } }],
    [['--masquerade-all', '--iptables-masquerade-bit', '3'], { iptables: { masqueradeAll: true, masqueradeBit: 3 } }],
    [['--nodeport-addresses=primary,10.0.0.0/8'], { nodePortAddresses: ['primary', '10.0.0.0/8'] }],
    [['--healthz-port=1234', '--healthz-bind-address=192.0.2.1'], { healthzBindAddress: '192.0.2.1:1234' }],
    [['--healthz-port=1234'], { healthzBindAddress: '0.0.0.0:10256' }],
    [['--healthz-port=0'], { healthzBindAddress: '' }],
    [['--metrics-bind-address='], { metricsBindAddress: '127.0.0.1:10249' }],
    [['--bind-address=::'], { bindAddress: '::', metricsBindAddress: '127.0.0.1:10249' }],
    [['--proxy-mode=nftables', '--masquerade-all', '--iptables-sync-period=5s'], activeNftables],
    [['-v', '4', '--vmodule=a=1'], { logging: { verbosity: 4, vmodule: [{ filePattern: 'a', verbosity: 1 }] } }],
    [['--hostname-override= Edge-1 '], { hostnameOverride: 'edge-1' }],
    [['--feature-gates=AllowServiceExternalIPs=false'], { featureGates: { AllowServiceExternalIPs: false } }],
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

  it('is refused with a reason: unknown flags and gates, wrong values, arguments, a blank node name', async () => {
    for (const argv of [
      ['--nonsense'],
      ['--bind-address=here'],
      ['--hostname-override=  '],
      ['--oom-score-adj=5000'],
      ['--metrics-port=0'],
      ['--feature-gates=Nonsense=true'],
      ['start'],
    ]) {
      const { configuration, problems } = await load(argv)
      expect(configuration).toBeUndefined()
      expect(problems.length).toBeGreaterThan(0)
    }
  })

  it('keeps an address without port when the configuration is only written down, and so refuses it', async () => {
    const { problems } = await load(['--write-config-to=F', '--healthz-bind-address=192.0.2.1'])
    expect(problems.map(({ message }) => message)).toEqual(['Invalid value: "192.0.2.1": must be IP:port'])
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
