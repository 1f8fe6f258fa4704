// Vitest matchers for packets. Importing this file adds them: `import '@kubewire/iptables-gen/testing/vitest'`.

import { expect } from 'vitest'
import { checkPacket, type PacketSetup } from './describe-packets.ts'

/** What the matchers look like on `expect(…)`. */
export interface PacketMatchers {
  /**
   * Whether the rules of `{ objects, node }` send a new connection there. Both ends and the goal are spelled as in
   * `PacketRow`: `10.244.1.9` or `node`, `10.96.4.4:80/udp`, and `untouched`, `rejected`, `dropped` or all targets.
   *
   * @example
   * expect({ objects, node: 'node-1' }).toDeliver('10.244.1.9', '10.96.4.4:80', '10.244.1.11:8080 10.244.1.12:8080')
   * expect({ objects, node: 'node-1' }).toDeliver('192.0.2.99', '203.0.113.20:80', 'dropped')
   */
  toDeliver(from: string, to: string, landsOn: string, options?: { readonly isSourceRewritten?: boolean }): void
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that this one is merged with
  interface Matchers<T = any> extends PacketMatchers {}
}

expect.extend({
  toDeliver(
    setup: PacketSetup,
    from: string,
    to: string,
    landsOn: string,
    options: { readonly isSourceRewritten?: boolean } = {},
  ) {
    const { isSourceRewritten } = options
    const complaint = checkPacket(setup, [from, to, landsOn, isSourceRewritten, ''])
    return {
      pass: complaint === undefined,
      message: () => `${from} → ${to}: ${complaint ?? `expected not to land on ${landsOn}`}`,
    }
  },
})
