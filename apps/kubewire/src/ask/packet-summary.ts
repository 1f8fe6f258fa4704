// What becomes of a packet, in one line: endpoints with their chances, or why there is none.

import type { Outcome } from '@kubewire/iptables-gen'
import { joinHostPort } from '@kubewire/kube-model'

/** `10.244.1.11:8080 50%, 10.244.1.12:8080 50% masqueraded`, `drop`, `reject icmp-port-unreachable`, `untouched`. */
export function summarizeOutcomes(outcomes: readonly Outcome[]): string {
  const parts = outcomes.map(({ verdict, rejectsWith, packet, probability }) => {
    if (verdict !== 'accept') return [verdict, rejectsWith].filter(Boolean).join(' ')
    if (!packet.isDnat) return 'untouched'
    const place = joinHostPort(packet.destination.text, packet.destinationPort ?? 0)
    const chance = outcomes.length === 1 ? '' : ` ${Math.round(probability * 1000) / 10}%`
    return `${place}${chance}${packet.isSnat ? ' masqueraded' : ''}`
  })
  return [...new Set(parts)].sort().join(', ')
}
