// The hidden commands: what `up` starts inside its namespaces, as this same program.

import { runEchoChild } from './echo-child.ts'
import { runRelayChild } from './relay-child.ts'
import { runUdpAskChild } from './udp-ask-child.ts'

/** Runs `__echo`, `__relay PORT SOCKET` or `__udp-ask ADDRESS PORT COUNT` until it has nothing to do. */
export async function runHelperProcess(words: readonly string[]): Promise<void> {
  const [name, first = '', second = '', third = ''] = words
  if (name === '__echo') await runEchoChild()
  else if (name === '__relay') runRelayChild(Number(first), second)
  else if (name === '__udp-ask') await runUdpAskChild(first, Number(second), Number(third))
  else process.exitCode = 2
}
