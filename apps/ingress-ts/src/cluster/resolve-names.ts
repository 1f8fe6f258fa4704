// Addresses of the names behind ExternalName Services, looked up again once a second, as the original's data plane does.
// A name that cannot be looked up keeps its last addresses.

import { lookup } from 'node:dns/promises'

/** Follows a set of names. */
export interface NameResolver {
  /** Last known addresses; empty before the first answer. */
  resolve(name: string): readonly string[]
  /** The names to follow from now on; new ones are looked up at once. Says whether that gave new addresses. */
  follow(names: readonly string[]): Promise<boolean>
  close(): void
}

/**
 * Creates a resolver.
 *
 * @param onChange - called when the addresses of a followed name changed
 */
export function createNameResolver(onChange: () => void, intervalMs = 1000): NameResolver {
  const known = new Map<string, readonly string[]>()
  let followed: readonly string[] = []
  const refresh = async (names: readonly string[]): Promise<boolean> => {
    const answers = await Promise.all(names.map(addressesOf))
    let isChanged = false
    for (const [at, name] of names.entries()) {
      const addresses = answers[at]
      if (addresses === undefined || addresses.join() === known.get(name)?.join()) continue
      known.set(name, addresses)
      isChanged = true
    }
    return isChanged
  }
  const timer = setInterval(() => {
    void refresh(followed).then((isChanged) => {
      if (isChanged) onChange()
    })
  }, intervalMs)
  timer.unref()
  return {
    resolve: (name) => known.get(name) ?? [],
    follow: async (names) => {
      followed = names
      for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
      return refresh(names.filter((name) => !known.has(name)))
    },
    close: () => clearInterval(timer),
  }
}

async function addressesOf(name: string): Promise<readonly string[] | undefined> {
  try {
    const found = await lookup(name, { all: true, verbatim: true })
    return found.map(({ address }) => address).sort()
  } catch {
    return undefined
  }
}
