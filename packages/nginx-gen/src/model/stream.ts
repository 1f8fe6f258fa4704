// TCP and UDP services of the two stream ConfigMaps.

import type { ObjectRef } from '@kubewire/kube-model'
import type { BackendEndpoint } from './backend.ts'

/** One exposed port; sorted by protocol, then port. */
export interface StreamService {
  readonly protocol: 'TCP' | 'UDP'
  readonly port: number
  readonly service: ObjectRef
  readonly servicePort: string
  readonly acceptsProxyProtocol: boolean
  readonly sendsProxyProtocol: boolean
  readonly endpoints: readonly BackendEndpoint[]
}
