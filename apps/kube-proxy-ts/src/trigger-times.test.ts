import { endpointSlice } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { createTriggerTimes } from './trigger-times.ts'

const at = (name: string, stamp: string) => {
  const slice = endpointSlice(`shop/${name}`, ['10.244.1.1'])
  const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': stamp }
  return { ...slice, metadata: { ...slice.metadata, annotations } }
}

describe('trigger times', () => {
  it('are collected until they are taken, older ones and those of deleted slices left out', () => {
    const times = createTriggerTimes(Date.parse('2026-01-01T00:00:00Z'))
    times.note(at('a', '2026-01-01T00:00:05Z'), false)
    times.note(at('b', '2025-12-31T23:00:00Z'), false)
    times.note(at('c', '2026-01-01T00:00:07Z'), false)
    times.note(at('c', ''), true)
    expect(times.take()).toEqual([Date.parse('2026-01-01T00:00:05Z')])
    expect(times.take()).toEqual([])
  })
})
