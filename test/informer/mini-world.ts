// The mini API server as the server under faults.

import type { ConfigMap } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { namespace, type ServerUnderFaults } from './world.ts'

/** The server with its own switches. */
export interface MiniServer extends ServerUnderFaults {
  readonly api: MiniApiServer
}

/** A mini API server with three ConfigMaps and a bookmark every 50 ms. */
export async function createMiniServer(
  options: {
    readonly firstVersion?: number
    readonly names?: readonly string[]
    readonly pageCap?: number
    readonly hasWatchList?: boolean
  } = {},
): Promise<MiniServer> {
  const { names = ['fig', 'pear', 'plum'], ...rest } = options
  const api = await createMiniApiServer({ isPlainHttp: true, bookmarkIntervalMs: 50, ...rest })
  const server: MiniServer = {
    api,
    url: api.url,
    write: async (name, value) => {
      api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { value } } as ConfigMap)
    },
    remove: async (name) => api.delete('ConfigMap', name, namespace),
    list: async () => api.list<ConfigMap>('ConfigMap', namespace),
  }
  for (const name of names) await server.write(name, 'first ä€😀')
  return server
}
