// The mini API server as the server under faults.

import type { ConfigMap } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { namespace, pause, type ServerUnderFaults } from './world.ts'

/** The server with its own switches. */
export interface MiniServer extends ServerUnderFaults {
  readonly api: MiniApiServer
  /** Waits for the next watch and its first bookmark; frames are counted from the beginning of a watch. */
  bookmarked(): Promise<void>
}

const bookmarkIntervalMs = 50

/** A mini API server with three ConfigMaps and a bookmark every 50 ms. */
export async function createMiniServer(
  options: {
    readonly firstVersion?: number
    readonly names?: readonly string[]
    readonly pageCap?: number
    readonly hasWatchList?: boolean
    readonly allowsFaults?: boolean
    readonly historySize?: number
  } = {},
): Promise<MiniServer> {
  const { names = ['fig', 'pear', 'plum'], ...rest } = options
  let watches = 0
  const api = await createMiniApiServer({
    isPlainHttp: true,
    bookmarkIntervalMs,
    onRequest: ({ query }) => {
      if (query.includes('watch=1')) watches++
    },
    ...rest,
  })
  const server: MiniServer = {
    api,
    url: api.url,
    bookmarked: async () => {
      const before = watches
      while (watches === before) await pause(1)
      // Timers of one process: the bookmark's comes first.
      await pause(2 * bookmarkIntervalMs)
    },
    write: async (name, value) => {
      api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { value } } as ConfigMap)
    },
    remove: async (name) => api.delete('ConfigMap', name, namespace),
    list: async () => api.list<ConfigMap>('ConfigMap', namespace),
  }
  for (const name of names) await server.write(name, 'first ä€😀')
  return server
}
