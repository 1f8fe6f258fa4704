// A thousand random faults and writes in sequence against one informer. Everything random comes from one seed, printed;
// KUBEWIRE_SEED replays it, KUBEWIRE_FAULTS changes the number.

import type { ConfigMap } from '@kubewire/kube-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faults } from './faults.ts'
import { createMiniServer, type MiniServer } from './mini-world.ts'
import { createWorld, type World } from './world.ts'

const count = Number(process.env['KUBEWIRE_FAULTS'] ?? 1000)
const seed = Number(process.env['KUBEWIRE_SEED'] ?? Date.now() % 2 ** 31)
const names = ['fig', 'pear', 'plum', 'kiwi', 'lime']

interface Real {
  server: MiniServer
  readonly world: World
  readonly history: string[]
}

/** What the server must hold: the writes, and nothing that a fault did. */
type Model = Map<string, string>

class Write implements fc.AsyncCommand<Model, Real> {
  readonly name: string
  readonly value: string
  constructor(name: string, value: string) {
    this.name = name
    this.value = value
  }
  check = (): boolean => true
  async run(model: Model, { server, history }: Real): Promise<void> {
    history.push(`${this}`)
    model.set(this.name, this.value)
    await server.write(this.name, this.value)
  }
  toString = (): string => `write ${this.name}`
}

class Remove implements fc.AsyncCommand<Model, Real> {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  check = (model: Readonly<Model>): boolean => model.has(this.name)
  async run(model: Model, { server, history }: Real): Promise<void> {
    history.push(`${this}`)
    model.delete(this.name)
    await server.remove(this.name)
  }
  toString = (): string => `remove ${this.name}`
}

class Break implements fc.AsyncCommand<Model, Real> {
  readonly #fault: (typeof faults)[number]
  constructor(fault: (typeof faults)[number]) {
    this.#fault = fault
  }
  check = (): boolean => true
  async run(_model: Model, { world, history }: Real): Promise<void> {
    history.push(`${this}`)
    await this.#fault.break(world)
  }
  toString = (): string => `break: ${this.#fault.name}`
}

/** Another server takes over, restored from nothing, with lower or much higher versions. */
class Replace implements fc.AsyncCommand<Model, Real> {
  readonly #firstVersion: number
  constructor(firstVersion: number) {
    this.#firstVersion = firstVersion
  }
  check = (): boolean => true
  async run(model: Model, real: Real): Promise<void> {
    real.history.push(`${this}`)
    const next = await createMiniServer({ firstVersion: this.#firstVersion, names: [] })
    for (const [name, value] of model) await next.write(name, value)
    real.world.moveTo(next)
    await real.server.api.close()
    real.server = next
  }
  toString = (): string => `replace the server by one at ${this.#firstVersion}`
}

class Settle implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true
  async run(model: Model, { server, world, history }: Real): Promise<void> {
    history.push(`${this}`)
    world.proxy.release()
    await world.settled(10_000)
    const held = (await server.list()).map((object: ConfigMap) => [object.metadata?.name, object.data?.['value']])
    expect(new Map(held as [string, string][])).toEqual(model)
    world.checkEvents()
  }
  toString = (): string => 'settle'
}

const name = fc.constantFrom(...names)
const commands = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.tuple(name, fc.string({ unit: 'grapheme', maxLength: 30 })).map(([n, value]) => new Write(n, value)),
  },
  { weight: 15, arbitrary: name.map((n) => new Remove(n)) },
  { weight: 40, arbitrary: fc.constantFrom(...faults).map((fault) => new Break(fault)) },
  { weight: 1, arbitrary: fc.constantFrom(50, 5_000_000).map((version) => new Replace(version)) },
  { weight: 8, arbitrary: fc.constant(new Settle()) },
)

describe(`${count} random faults and writes, seed ${seed}`, () => {
  it('leave a store that equals the server, with every change told once', { timeout: 600_000 }, async () => {
    const sequence = fc.array(commands, { minLength: count, maxLength: count, size: 'max' })
    const property = fc.asyncProperty(sequence, async (steps) => {
      const server = await createMiniServer({ names: [] })
      const real: Real = { server, world: await createWorld(server, { pageSize: 2 }), history: [] }
      try {
        await fc.asyncModelRun(() => ({ model: new Map<string, string>(), real }), [...steps, new Settle()])
        await real.world.close()
      } catch (cause) {
        // The last steps say more than a thousand do; the seed brings all of them back.
        throw new Error(`seed ${seed}, step ${real.history.length}, after:\n${real.history.slice(-25).join('\n')}`, {
          cause,
        })
      } finally {
        await real.server.api.close()
      }
    })
    const result = await fc.check(property, { seed, numRuns: 1, endOnFailure: true })
    if (result.failed) throw result.errorInstance
  })
})
