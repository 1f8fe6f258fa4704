// Vitest matchers for names. Importing this file adds them: `import '@kubewire/dns-core/testing/vitest'`.

import { expect } from 'vitest'
import { compareReply } from '../cases/compare-reply.ts'
import type { ExpectedReply } from '../cases/dns-case.ts'
import { printRecord } from '../zone/print-record.ts'
import type { DnsUnderTest } from './dns-of.ts'

/** What the matchers look like on `expect(…)`. */
export interface DnsMatchers {
  /**
   * Whether `dnsOf(objects)` answers a question `NAME TYPE` like this: records as `owner ttl class type data` in any order, or
   * the keys of a scenario's `expect`. To be awaited.
   *
   * @example
   * await expect(dns).toAnswer('tea.shop.svc.cluster.local. A', ['tea.shop.svc.cluster.local. 5 IN A 10.96.4.4'])
   * await expect(dns).toAnswer('tee.shop.svc.cluster.local. A', { rcode: 'NXDOMAIN' })
   */
  toAnswer(question: string, expected: readonly string[] | ExpectedReply): Promise<void>
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that this one is merged with
  interface Matchers<T = any> extends DnsMatchers {}
}

expect.extend({
  async toAnswer(dns: DnsUnderTest, question: string, expected: readonly string[] | ExpectedReply) {
    const wanted = isRecords(expected) ? { rcode: 'NOERROR', answer: expected } : expected
    const seen = await dns.ask(question)
    const differences = compareReply(wanted, seen)
    const found =
      seen === undefined ? 'no reply' : [seen.rcode, ...seen.answer.map((record) => printRecord(record))].join('\n  ')
    return {
      pass: differences.length === 0,
      message: () =>
        differences.length === 0
          ? `${question}: expected another answer, found\n  ${found}`
          : `${question}: ${differences.join('; ')}\nfound ${found}`,
    }
  },
})

function isRecords(expected: readonly string[] | ExpectedReply): expected is readonly string[] {
  return Array.isArray(expected)
}
