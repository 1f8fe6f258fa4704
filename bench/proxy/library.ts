// What the generator costs in CPU time of this process, with the digest that the daemon hands in: everything from nothing,
// and one change among many.

import { hash } from 'node:crypto'
import {
  createRulesetBuilder,
  emptyRuleset,
  endpointChain,
  planRestore,
  printStep,
  printStepParts,
  proxyOptions,
} from '@kubewire/iptables-gen'
import { snapshotOf } from '@kubewire/kube-model'
import { measureCText } from './c-text.ts'
import { median } from './median.ts'
import { clusterOf, keyOfService, sliceAt } from './objects.ts'
import { writePlainText } from './plain-text.ts'

/** Medians of the rounds; times in milliseconds of CPU. */
export interface LibraryCosts {
  readonly services: number
  readonly textMiB: number
  readonly plainMs: number
  /** The same amount of text by sprintf in C; `undefined` without a compiler. */
  readonly cMs: number | undefined
  /** The names of all chains alone: hashes. */
  readonly namesMs: number
  readonly buildMs: number
  readonly textMs: number
  /** Build and text of the first round, when nothing is compiled. */
  readonly firstMs: number
  readonly changeMs: number
  readonly changeBytes: number
}

// As the daemon takes them.
const pieceRules = 500

/** Measures one size, yardstick and generator in alternation. */
export function measureLibrary(services: number, endpoints: number, rounds: number): LibraryCosts {
  const options = proxyOptions({ family: 4, nodeName: 'edge-1', digest })
  const objects = snapshotOf(clusterOf(services, endpoints))
  const out = Buffer.alloc(64 * 2 ** 20)
  const costs = {
    plain: [] as number[],
    names: [] as number[],
    build: [] as number[],
    text: [] as number[],
    change: [] as number[],
  }
  let textBytes = 0
  let changeBytes = 0
  for (let round = 0; round < rounds; round++) {
    costs.plain.push(cpuMs(() => writePlainText(services, endpoints, out)))
    costs.names.push(cpuMs(() => nameChains(services, endpoints)))
    const builder = createRulesetBuilder()
    let built = builder.build(snapshotOf([]), options)
    costs.build.push(cpuMs(() => (built = builder.build(objects, options))))
    costs.text.push(
      cpuMs(() => {
        textBytes = 0
        for (const step of planRestore(emptyRuleset(4), built.ruleset, { backend: 'nft' }))
          for (const { text } of printStepParts(step, pieceRules)) textBytes += out.write(text, textBytes, 'latin1')
      }),
    )
    for (let i = 0; i < 20; i++) {
      const key = keyOfService((i * 977 + round) % services)
      const slice = sliceAt((i * 977 + round) % services, endpoints, 1 + (i % 9))
      const before = built.ruleset
      const change = (): void => {
        built = builder.build(objects, options, { changed: { services: [key], slicesOf: () => [slice] } })
        const text = planRestore(before, built.ruleset, { backend: 'nft' }).map(printStep).join('')
        changeBytes = text.length
      }
      costs.change.push(cpuMs(change))
    }
  }
  return {
    services,
    textMiB: textBytes / 2 ** 20,
    plainMs: median(costs.plain),
    cMs: measureCText(services, endpoints),
    namesMs: median(costs.names),
    buildMs: median(costs.build),
    textMs: median(costs.text),
    firstMs: (costs.build[0] ?? 0) + (costs.text[0] ?? 0),
    changeMs: median(costs.change),
    changeBytes,
  }
}

function nameChains(services: number, endpoints: number): void {
  for (let i = 0; i < services; i++) {
    const key = `${keyOfService(i)}:http`
    // A name of the Service, then those of its endpoints: all are hashes of a text.
    endpointChain(key, 'TCP', '', digest)
    for (let j = 0; j < endpoints; j++) endpointChain(key, 'TCP', `10.${200 + j}.${i >> 8}.${i & 255}:8080`, digest)
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'binary')
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
