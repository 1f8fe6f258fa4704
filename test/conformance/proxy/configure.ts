// The `config` of a case through the daemon's own reading of KubeProxyConfiguration.

import { type CaseConfig, type CaseConfigurator, configurationOf, localAddressesOf } from '@kubewire/iptables-gen/cases'
import { withDefaults } from '../../../apps/kube-proxy-ts/src/config/defaults.ts'
import { familyOptions } from '../../../apps/kube-proxy-ts/src/config/family-options.ts'
import { detectNodeIps, nodeAddresses } from '../../../apps/kube-proxy-ts/src/config/node-ips.ts'
import { parseConfiguration } from '../../../apps/kube-proxy-ts/src/config/parse.ts'

/** Options of the generator, as the daemon makes them. */
export const configureAsDaemon: CaseConfigurator = (config: CaseConfig) => {
  const { values, problems } = parseConfiguration(JSON.stringify(configurationOf(config)), 'config')
  if (values === undefined) throw new Error(problems.map((problem) => problem.message).join('; '))
  const configuration = withDefaults(values)
  return (node, family) =>
    familyOptions(
      configuration,
      {
        nodeName: config.nodeName ?? '',
        node,
        nodeIps: detectNodeIps(nodeAddresses(node), configuration.bindAddress),
        interfaceAddresses: localAddressesOf(config),
        isTcpLiberal: config.env?.tcpBeLiberal === true,
        hasNfacct: config.env?.nfacct === true,
      },
      family,
    )
}
