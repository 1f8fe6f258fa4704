import { describe, expect, it } from 'vitest'
import { parseConntrack } from './conntrack.ts'

describe('a listing of conntrack', () => {
  it('gives who sent where and who answers, for both families', () => {
    const text = [
      'ipv4     2 udp      17 25 src=203.0.113.9 dst=10.96.0.10 sport=4000 dport=53 src=10.244.1.5 dst=203.0.113.9 sport=5353 dport=4000 [ASSURED] mark=0 use=1',
      'ipv6     10 udp      17 29 src=2001:db8::9 dst=fd00:96:0:0::10 sport=1 dport=53 [UNREPLIED] src=fd00:96::10 dst=2001:db8::9 sport=53 dport=1 mark=0 use=1',
      'conntrack v1.4.7 (conntrack-tools): 2 flow entries have been shown.',
    ].join('\n')
    expect(parseConntrack(text)).toEqual([
      {
        protocol: 'udp',
        source: '203.0.113.9',
        sourcePort: 4000,
        destination: '10.96.0.10',
        destinationPort: 53,
        replySource: '10.244.1.5',
        replySourcePort: 5353,
      },
      {
        protocol: 'udp',
        source: '2001:db8::9',
        sourcePort: 1,
        destination: 'fd00:96::10',
        destinationPort: 53,
        replySource: 'fd00:96::10',
        replySourcePort: 53,
      },
    ])
  })
})
