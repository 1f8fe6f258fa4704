// filter KUBE-NODEPORTS: health check node ports are let in, with or without endpoints.

import { rule } from '../../ruleset/rule.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf, originOf, type PortSection, placed, transport } from './section.ts'

/** ACCEPT of the health check node port; once per service port. */
export const healthCheckSection: PortSection = (port) => {
  const { facts } = port
  if (facts.healthCheckNodePort === undefined) return []
  const { header, module } = transport('TCP', facts.healthCheckNodePort)
  return placed(
    'filter',
    chainNames.nodePorts,
    rule([header, commentOf(`${facts.id} health check node port`), module], { kind: 'accept' }, originOf(port)),
  )
}
