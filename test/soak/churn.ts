// Changes all the time, from a seed: endpoints that come and go, Services and Ingresses that are made and deleted.

import type { MiniApiServer } from '@kubewire/mini-apiserver'
import type { Seeded } from '../differential/seeded.ts'
import { bulkObjects, endpointAddress, endpointsPerService, probedSlices } from './soak-objects.ts'
import type { Truth } from './truth.ts'

/** Numbers of Services. */
export interface ChurnSizes {
  readonly probed: number
  readonly bulk: number
}

/** Changes the cluster, a change a call. */
export interface Churn {
  /** Everything for the first time. */
  fill(): void
  change(): void
  /** Services among the bulk that exist now. */
  readonly present: ReadonlySet<number>
}

/** Prepares it; nothing is changed before `fill`. */
export function createChurn(api: MiniApiServer, sizes: ChurnSizes, truth: Truth, random: Seeded): Churn {
  const present = new Set<number>()
  const fill = (): void => {
    for (let index = 0; index < sizes.probed; index += 1) moveProbed(index)
    for (let index = 0; index < sizes.bulk; index += 1) putBulk(index)
  }
  const moveProbed = (index: number): void => {
    const all = Array.from({ length: endpointsPerService }, (_, at) => endpointAddress(index, at))
    const some = random.some(all, 0.6)
    const addresses = some.length > 0 ? some : [random.pick(all)]
    api.apply(...probedSlices(index, addresses))
    truth.set(index, addresses, Date.now())
  }
  const putBulk = (index: number): void => {
    present.add(index)
    api.apply(...bulkObjects(index, bulkAddresses(index)))
  }
  const bulkAddresses = (index: number): string[] =>
    Array.from({ length: random.integer(0, 4) }, () => `10.244.${2 + (index & 127)}.${random.integer(1, 250)}`).filter(
      (address, at, all) => all.indexOf(address) === at,
    )
  const removeBulk = (index: number): void => {
    present.delete(index)
    for (const { kind, metadata } of bulkObjects(index, []))
      api.delete(kind ?? '', metadata?.name ?? '', metadata?.namespace)
  }
  return {
    fill,
    present,
    change() {
      // Most changes in a cluster are of endpoints; one in fifty makes or deletes a Service.
      if (random.chance(0.05)) return moveProbed(random.integer(0, sizes.probed - 1))
      const index = random.integer(0, sizes.bulk - 1)
      if (!present.has(index)) return putBulk(index)
      if (random.chance(0.02)) return removeBulk(index)
      const slice = bulkObjects(index, bulkAddresses(index)).find(({ kind }) => kind === 'EndpointSlice')
      if (slice !== undefined) api.apply(slice)
    },
  }
}
