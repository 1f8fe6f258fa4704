// Names: asked by a pod, at the Service address of the DNS server, so every check also crosses the rules.

import { demoNetwork } from '../plan.ts'
import { type Check, type ProgramCheckOptions, programCheck, sortedLines } from './check.ts'

const zone = 'cluster.local'

function dig(
  name: string,
  words: readonly string[],
  expected: string | RegExp,
  options: ProgramCheckOptions = {},
): Check {
  return programCheck(name, 'client', ['dig', '+short', `@${demoNetwork.dnsService}`, ...words], expected, options)
}

// The status word of the header, for names that have no records to show.
function status(name: string, words: readonly string[], expected: string): Check {
  const command = ['dig', '+noall', '+comments', `@${demoNetwork.dnsService}`, ...words] as const
  return programCheck(name, 'client', command, expected, {
    digest: (output) => /status: (\w+)/.exec(output)?.[1] ?? output,
  })
}

/** The table. */
export const dnsChecks: readonly Check[] = [
  dig('a Service has its cluster address', [`tea.shop.svc.${zone}`, 'A'], '10.96.10.1', { isInTour: true }),
  dig('a dual-stack Service has an IPv6 address too', [`coffee.shop.svc.${zone}`, 'AAAA'], 'fd00:10:96::1003'),
  status('a Service of one family has no records of the other', [`tea.shop.svc.${zone}`, 'AAAA'], 'NOERROR'),
  dig('a named port has an SRV record', [`_http._tcp.tea.shop.svc.${zone}`, 'SRV'], `0 100 80 tea.shop.svc.${zone}.`, {
    isInTour: true,
  }),
  dig('a cluster address has its name', ['-x', '10.96.10.1'], `tea.shop.svc.${zone}.`),
  dig('an ExternalName leads outside', [`supplier.shop.svc.${zone}`, 'A'], 'supplier.example.org.\n203.0.113.200', {
    isInTour: true,
  }),
  dig(
    'an ExternalName leads to another Service',
    [`teahouse.shop.svc.${zone}`, 'A'],
    `tea.shop.svc.${zone}.\n10.96.10.1`,
  ),
  dig(
    'a headless Service has the addresses of its ready members',
    [`db.data.svc.${zone}`],
    '10.244.1.91\n10.244.2.91',
    {
      ...sortedLines,
      isInTour: true,
    },
  ),
  dig('a member of a headless set has a name of its own', [`db-1.db.data.svc.${zone}`], '10.244.2.91'),
  status('a member that is not ready has none', [`db-2.db.data.svc.${zone}`], 'NXDOMAIN'),
  dig('members that find each other before they are ready', [`db-2.db-peers.data.svc.${zone}`], '10.244.1.92'),
  status('a Service that does not exist is NXDOMAIN', [`nobody.shop.svc.${zone}`], 'NXDOMAIN'),
  dig('the same over TCP', ['+tcp', `tea.shop.svc.${zone}`, 'A'], '10.96.10.1'),
  dig('a pod address has a name', [`10-244-1-200.shop.pod.${zone}`], '10.244.1.200'),
]
