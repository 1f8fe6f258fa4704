import { describe, expect, it } from 'vitest'
import { withDefaults } from './config/defaults.ts'
import type { FieldValue } from './config/fields.ts'
import { checkStart } from './start-checks.ts'

const check = (
  values: Readonly<Record<string, FieldValue>>,
  families: readonly (4 | 6)[] = [4],
  podCidrs: readonly string[] = [],
) => checkStart({ configuration: withDefaults(new Map(Object.entries(values))), podCidrs, families, primaryFamily: 4 })
const primary = { nodePortAddresses: ['primary'] }

describe('checks at start', () => {
  it.each([
    ['nothing to say', { ...primary, clusterCIDR: '10.244.0.0/16' }, [4], 0, 0],
    ['node ports on every address', { clusterCIDR: '10.244.0.0/16' }, [4], 1, 0],
    ['pods of the other family only', { ...primary, clusterCIDR: 'fd00::/48' }, [4], 0, 1],
    ['the same, but both families are served', { ...primary, clusterCIDR: 'fd00::/48' }, [4, 6], 1, 0],
    ['pods of one family on a node of two', { ...primary, clusterCIDR: '10.244.0.0/16' }, [4, 6], 0, 0],
    [
      'node ports of one family in a cluster of two',
      { nodePortAddresses: ['10.0.0.0/8'], clusterCIDR: '10.244.0.0/16,fd00::/48' },
      [4, 6],
      1,
      0,
    ],
    ['node ports of one family in a cluster of one', { nodePortAddresses: ['10.0.0.0/8'] }, [4, 6], 0, 0],
    ['node ports of the other family only', { nodePortAddresses: ['fd00::/64'] }, [4], 1, 0],
    ['a server of the other family', { ...primary, metricsBindAddress: '[::1]:10249' }, [4], 1, 0],
    [
      'a server of the other family that is served too',
      { ...primary, metricsBindAddress: '[::1]:10249' },
      [4, 6],
      0,
      0,
    ],
    ['a server on every address', { ...primary, healthzBindAddress: '[::]:10256' }, [4], 0, 0],
  ] as const)('%s', (_what, values, families, warnings, fatal) => {
    const found = check(values, families)
    expect([found.warnings.length, found.fatal.length]).toEqual([warnings, fatal])
  })

  it('end the process when the node’s own pods are of the other family', () => {
    expect(check({ ...primary, detectLocalMode: 'NodeCIDR' }, [4], ['fd00::/64']).fatal).toHaveLength(1)
  })
})
