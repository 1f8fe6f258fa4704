// Composes the plugins of one server block. Synchronous as long as no plugin waits; an observer sees every step, which
// is what `explain` is made of.

import { type Eventually, failed, type Outcome, whenReady } from './outcome.ts'
import type { Context, Plugin } from './plugin.ts'
import type { Query } from './query.ts'
import { rcode } from './record-types.ts'

/** A plugin with the name it has in the Corefile. */
export interface NamedPlugin {
  readonly name: string
  readonly plugin: Plugin
}

/** What a call brings along: everything of `Context` but the way on. */
export type ChainContext = Omit<Context, 'next' | 'hasNext'> & { readonly observe?: ChainObserver }

/** Told before a plugin is asked and after it said something, its own part first. */
export interface ChainObserver {
  enter(name: string, query: Query): void
  leave(name: string, outcome: Outcome): void
}

/** The plugins of a block as one function. */
export type Chain = (query: Query, context: ChainContext) => Eventually<Outcome>

/** Composes plugins in the order given; those without `handle` are left out. */
export function composeChain(plugins: readonly NamedPlugin[]): Chain {
  const steps = plugins.filter(({ plugin }) => plugin.handle !== undefined)
  const run = (index: number, query: Query, context: ChainContext): Eventually<Outcome> => {
    const step = steps[index]
    const previous = steps[index - 1]?.name ?? 'server'
    if (step === undefined) return failed(rcode.SERVFAIL, `plugin/${previous}: no next plugin found`)
    const { observe } = context
    observe?.enter(step.name, query)
    const asNext = (changed: Query): Eventually<Outcome> => run(index + 1, changed, context)
    const { lookup, server, metadata, answeredBy } = context
    const inner: Context = { next: asNext, hasNext: index + 1 < steps.length, lookup, server, metadata, answeredBy }
    const outcome = step.plugin.handle?.(query, inner) ?? failed(rcode.SERVFAIL)
    return whenReady(outcome, (value) => {
      observe?.leave(step.name, value)
      if (value.kind !== 'next' && context.answeredBy.plugin === '') context.answeredBy.plugin = step.name
      return value.kind === 'next' ? run(index + 1, query, context) : value
    })
  }
  return (query, context) => run(0, query, context)
}

/** Whether any plugin of the list answers questions at all. */
export function answersQuestions(plugins: readonly NamedPlugin[]): boolean {
  return plugins.some(({ plugin }) => plugin.handle !== undefined)
}
