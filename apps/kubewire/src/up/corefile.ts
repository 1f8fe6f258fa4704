// The demo's Corefile moved to loopback and high ports, for a machine where it cannot have an address of its own.

import { demoNetwork } from './plan.ts'

/** DNS at `port`, health, ready and metrics at the three ports after it. */
export function highPortCorefile(text: string, port: number): string {
  const listeners = [':8080', ':8181', ':9153']
  return listeners
    .reduce(
      (moved, listener, i) => moved.replaceAll(`${demoNetwork.dnsPod}${listener}`, `127.0.0.1:${port + 1 + i}`),
      text,
    )
    .replaceAll(demoNetwork.dnsPod, '127.0.0.1')
    .replaceAll('.:53 {', `.:${port} {`)
}
