import { readdirSync, readFileSync } from 'node:fs'
import { type ClusterSnapshot, snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { describe, expect, test } from 'vitest'
import { simulatedPackets, simulatedRequests } from './simulated.ts'

const folder = new URL('../../../../../examples/shop/', import.meta.url)

function shop(): ClusterSnapshot {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return snapshotOf(
    files.flatMap((name) => {
      const { objects, problems } = parseManifests(readFileSync(new URL(name, folder), 'utf8'), name)
      expect(problems).toEqual([])
      return objects
    }),
  )
}

describe('on the demo cluster', () => {
  const snapshot = shop()
  test.each([...simulatedPackets, ...simulatedRequests])('$name', async (check) => {
    expect(await check.ask(snapshot)).toBe(check.expected)
  })
})
