import type { Pod } from '@kubewire/kube-model'
import { expect, test } from 'vitest'
import { isPodGone, isPodReady } from './pod-readiness.ts'

const condition = (type: string, status: string): { readonly type: string; readonly status: string } => ({
  type,
  status,
})
const gated = { readinessGates: [{ conditionType: 'example.org/warm' }] }

test.each<[string, Pod, 'gone' | 'ready' | 'not ready']>([
  ['a pod written by hand is supposed to run', {}, 'ready'],
  ['so is one with no more than an address', { status: { podIP: '10.244.1.9' } }, 'ready'],
  ['so is one with gates and no conditions at all', { spec: gated }, 'ready'],
  ['a pod that has done its work is no endpoint', { status: { phase: 'Succeeded', podIP: '10.244.1.9' } }, 'gone'],
  ['nor is one that failed', { status: { phase: 'Failed' } }, 'gone'],
  ['nor is one that waits for an address', { status: { phase: 'Pending' } }, 'gone'],
  ['a pending pod with an address is not ready', { status: { phase: 'Pending', podIP: '10.244.1.9' } }, 'not ready'],
  [
    'the condition Ready counts',
    { status: { phase: 'Running', conditions: [condition('Ready', 'False')] } },
    'not ready',
  ],
  ['Unknown is not ready', { status: { conditions: [condition('Ready', 'Unknown')] } }, 'not ready'],
  [
    'the condition Ready already heeds the gates',
    { spec: gated, status: { conditions: [condition('Ready', 'True')] } },
    'ready',
  ],
  [
    'a gate that is not met',
    {
      spec: gated,
      status: { conditions: [condition('ContainersReady', 'True'), condition('example.org/warm', 'False')] },
    },
    'not ready',
  ],
])('%s', (_, pod, expected) => {
  expect(isPodGone(pod) ? 'gone' : isPodReady(pod) ? 'ready' : 'not ready').toBe(expected)
})
