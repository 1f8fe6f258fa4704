// Where the page's cluster comes from: read now, read again when files change (or, for a cluster, whenever the page is
// loaded), the last good reading kept when a later one fails.

import { type Observable, Subject, type Subscription } from 'rxjs'
import type { ClusterDocument } from '../cluster-document.ts'

/** The cluster of the page. */
export interface UiSource {
  read(): Promise<ClusterDocument>
  /** The generation, as soon as it is beyond `after`, or when the time is up. */
  changedSince(after: number, waitMs: number): Promise<number>
  close(): void
}

/** How to read, and when to read again. */
export interface UiSourceOptions {
  /** Rejects with an error whose message tells a person what is wrong. */
  readonly read: () => Promise<Omit<ClusterDocument, 'generation'>>
  /** Emits after something changed; the first reading needs no notice. */
  readonly changes: Observable<unknown>
  /** Read again at every `read()`; for what tells of no changes. */
  readonly isAlwaysRead: boolean
}

/** Reads for the first time; rejects when that fails. */
export async function createUiSource({ read, changes, isAlwaysRead }: UiSourceOptions): Promise<UiSource> {
  let document: ClusterDocument = { ...(await read()), generation: 1 }
  let reading: Promise<void> | undefined
  let isStale = false
  let isFresh = true
  const renewed = new Subject<number>()
  const readAgain = async (): Promise<void> => {
    const generation = document.generation + 1
    try {
      document = { ...(await read()), generation }
    } catch (error) {
      document = { ...document, generation, failure: error instanceof Error ? error.message : String(error) }
    }
    renewed.next(generation)
  }
  // Changes while a reading is on mean one more reading, not many.
  const renew = async (): Promise<void> => {
    isStale = true
    reading ??= (async () => {
      while (isStale) {
        isStale = false
        await readAgain()
      }
      reading = undefined
    })()
    await reading
  }
  const subscription: Subscription = changes.subscribe(() => void renew())
  return {
    read: async () => {
      if (isAlwaysRead && !isFresh) await renew()
      isFresh = false
      return document
    },
    changedSince: (after, waitMs) => {
      if (document.generation > after) return Promise.resolve(document.generation)
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.unsubscribe()
          resolve(document.generation)
        }
        const timer = setTimeout(end, waitMs)
        const waiting = renewed.subscribe(end)
      })
    },
    close: () => {
      subscription.unsubscribe()
      renewed.complete()
    },
  }
}
