// What the daemon is started with, and what everything in its process shares.

import type { Clock, Log, Shutdown } from '@kubewire/daemon-kit'
import type { Cluster, Informer } from '@kubewire/informer'
import type { Node } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './config/defaults.ts'
import type { NodeIps } from './config/node-ips.ts'
import type { ProxyHealth } from './health/proxy-health.ts'
import type { ProcessFacts } from './health/zpages.ts'
import type { ProxyMetrics } from './metrics.ts'

/** What the daemon is started with. */
export interface ServeOptions {
  readonly configuration: ProxyConfiguration
  readonly configFile: string
  readonly master: string
  /** Facts for `/flagz` and `/statusz`. */
  readonly process: ProcessFacts
  readonly log: Log
  readonly shutdown: Shutdown
  /** Ends the process with status 1 so that its supervisor starts it again. */
  readonly fail: (reason: string) => void
}

/** What everything in the process shares. */
export interface Shared {
  readonly options: ServeOptions
  readonly cluster: Cluster
  readonly clock: Clock
  readonly nodeName: string
  readonly nodeIps: NodeIps
  readonly nodeInformer: Informer<Node>
  readonly metrics: ProxyMetrics
  readonly state: { health: ProxyHealth }
}
