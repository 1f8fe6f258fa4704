import type { Pod } from '@kubewire/kube-model'
import { pod } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { type Deployment, ownerLabel, planWorkloads, type WorkloadStep } from './plan-workloads.ts'

const milk = (replicas: number, readyReplicas?: number): Deployment => ({
  kind: 'Deployment',
  metadata: { name: 'milk', namespace: 'shop' },
  spec: { replicas, template: { metadata: { labels: { app: 'milk' } }, spec: { containers: [] } } },
  ...(readyReplicas === undefined ? {} : { status: { readyReplicas } }),
})
const running = (name: string, ip: string): Pod => pod(`shop/${name}`, [ip], { [ownerLabel]: 'milk' })

function plan(deployments: readonly Deployment[], pods: readonly Pod[]): string[] {
  return planWorkloads(deployments, pods, 'node-1').map((step: WorkloadStep) => {
    if (step.kind === 'create-pod') return `create ${step.pod.metadata?.name}`
    if (step.kind === 'start-pod') return `start ${step.name} at ${step.ips[0]}${step.needsNode ? ' on a node' : ''}`
    return step.kind === 'report' ? `report ${step.replicas}` : `delete ${step.name}`
  })
}

const one = running('milk-1', '10.244.1.100')
const two = running('milk-2', '10.244.1.101')

test.each([
  ['pods that are missing are made', [milk(2)], [], ['create milk-1', 'create milk-2']],
  ['pods beyond the number go', [milk(1, 1)], [one, two], ['delete milk-2']],
  ['pods of a Deployment that is gone go', [], [one], ['delete milk-1']],
  ['what is ready is reported once', [milk(2)], [one, two], ['report 2']],
  ['and then there is nothing to do', [milk(2, 2)], [one, two], []],
  [
    'a pod without an address gets the next free one, and a node when it has none',
    [milk(1, 1)],
    [one, { metadata: { name: 'guest', namespace: 'shop' } }],
    ['start guest at 10.244.1.101 on a node'],
  ],
] as const)('%s', (_name, deployments, pods, expected) => {
  expect(plan(deployments, pods)).toEqual(expected)
})
