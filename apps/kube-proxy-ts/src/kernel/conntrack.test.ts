import { describe, expect, it } from 'vitest'
import { createConntrack, parseConntrack } from './conntrack.ts'

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

describe('a dump that the kernel interrupts', () => {
  const line =
    'ipv4     2 udp      17 25 src=203.0.113.9 dst=10.96.0.10 sport=4000 dport=53 src=10.244.1.5 dst=203.0.113.9 sport=53 dport=4000 mark=0 use=1'
  const interrupted = {
    exitCode: 1,
    signal: undefined,
    stdout: '',
    stderr: 'Operation failed: Interrupted system call',
  }
  const listAfter = async (interruptions: number, partial = '') => {
    let calls = 0
    const conntrack = createConntrack(async () => {
      calls += 1
      if (calls <= interruptions) return { ...interrupted, stdout: partial }
      return { exitCode: 0, signal: undefined, stdout: line, stderr: '' }
    })
    return { flows: await conntrack.list(4), calls }
  }

  it.each([
    ['is not repeated when there was none', 0, '', 1, 1],
    ['is repeated', 2, '', 1, 3],
    ['gives what could be read when it never ends well', 9, line, 1, 5],
    ['gives nothing when nothing could be read', 9, '', 0, 5],
  ])('%s', async (_what, interruptions, partial, flows, calls) => {
    const found = await listAfter(interruptions, partial)
    expect([found.flows.length, found.calls]).toEqual([flows, calls])
  })
})
