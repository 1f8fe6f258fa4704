import { describe, expect, it } from 'vitest'
import { withDefaults } from '../config/defaults.ts'
import type { FieldValue } from '../config/fields.ts'
import { conntrackSettings, countCpus, wantedHashSize } from './sysctls.ts'

const settings = (values: Readonly<Record<string, FieldValue>>, cpus: number) =>
  conntrackSettings(withDefaults(new Map(Object.entries(values))).conntrack, cpus)
const timeouts = { nf_conntrack_tcp_timeout_established: 86_400, nf_conntrack_tcp_timeout_close_wait: 3600 }

describe('the settings of connection tracking', () => {
  it.each([
    ['grow with the CPUs', {}, 8, { nf_conntrack_max: 262_144, ...timeouts }],
    ['have a floor', {}, 2, { nf_conntrack_max: 131_072, ...timeouts }],
    ['have a ceiling', {}, 128, { nf_conntrack_max: 1_048_576, ...timeouts }],
    ['leave the limit alone', { 'conntrack.maxPerCore': 0 }, 8, timeouts],
    [
      'leave timeouts of 0 alone and can be liberal',
      { 'conntrack.tcpEstablishedTimeout': 0, 'conntrack.tcpBeLiberal': true, 'conntrack.udpTimeout': 30_000 },
      8,
      {
        nf_conntrack_max: 262_144,
        nf_conntrack_tcp_timeout_close_wait: 3600,
        nf_conntrack_tcp_be_liberal: 1,
        nf_conntrack_udp_timeout: 30,
      },
    ],
  ])('%s', (_what, values, cpus, wanted) => expect(settings(values as never, cpus)).toEqual(wanted))

  it('ask for a hash table of a quarter of the limit', () => {
    expect([wantedHashSize(262_144, 65_535), wantedHashSize(262_144, 65_536)]).toEqual([65_536, undefined])
  })
})

describe('the list of online CPUs', () => {
  it.each([
    ['0', 1],
    ['0-3\n', 4],
    ['0-3,8,10-11', 7],
    ['', undefined],
    ['none', undefined],
  ])('%j', (list, wanted) => expect(countCpus(list)).toBe(wanted))
})
