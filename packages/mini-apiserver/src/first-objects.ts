// What every cluster has from the start: four namespaces and the API server's own Service.

import type { JsonObject } from './json.ts'
import type { ServerState } from './server-state.ts'
import { createObject } from './verbs/create.ts'

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** Creates the first objects. */
export function createFirstObjects(state: ServerState, clusterIp: string | undefined): void {
  const write = (plural: string, namespace: string, body: JsonObject) => {
    const kind = state.kinds.find('', 'v1', plural)
    if (!kind) throw new Error(`no kind for ${plural}`)
    const request = { namespace, name: '', user: 'system:apiserver', manager: 'kube-apiserver', isDryRun: false }
    createObject(state, kind, { kind: kind.kind, apiVersion: 'v1', ...body }, request)
  }
  for (const name of namespaces) write('namespaces', '', { metadata: { name } })
  if (clusterIp === undefined) return
  write('services', 'default', {
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: clusterIp,
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  })
}
