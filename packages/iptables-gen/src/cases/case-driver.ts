// What runs a case of objects: the libraries in process, our daemon in a namespace, or kube-proxy itself.

import type { SavedTables } from './compare-saved.ts'
import type { CaseConfig, CaseFlow, CaseRequest, CaseStep, CaseSync, Manifest, NftTables } from './proxy-case.ts'

/** What became of a flow. */
export interface FlowResult {
  readonly verdict: 'accept' | 'drop' | 'reject'
  /** `ip:port` the connection was sent to → whether its source was rewritten. Empty: left alone. */
  readonly targets: ReadonlyMap<string, boolean>
  /** How it came about, for reports. */
  readonly trace: string
}

/** A tracked flow in common words. */
export interface CaseTracked {
  readonly id: string
  readonly protocol: string
  readonly source: string
  readonly sourcePort: number
  readonly destination: string
  readonly destinationPort: number
  readonly replySource: string
  readonly replySourcePort: number
}

/** Runs one case after the other. A method that a driver lacks makes the probes that need it skipped, with a reason. */
export interface CaseDriver {
  readonly name: 'library' | 'ours' | 'original'
  begin(config: CaseConfig, cluster: readonly Manifest[]): Promise<void>
  /** Changes the cluster and waits for the sync that follows. */
  step(step: CaseStep): Promise<void>
  /** Ends the program and starts it again: what it remembered is lost, what the kernel holds stays. */
  restart?(): Promise<void>
  /** The state in the words of iptables-save. */
  saved(family: 4 | 6): Promise<SavedTables>
  /** Tables of nftables mode. */
  tables?(family: 4 | 6): Promise<NftTables[string]>
  flow(flow: CaseFlow): Promise<FlowResult>
  /** Rules by table (`sync_proxy_rules_iptables_total`). */
  rulesTotal(family: 4 | 6): Promise<Readonly<Record<string, number>>>
  noLocalEndpoints(family: 4 | 6): Promise<{ readonly internal: number; readonly external: number }>
  isLargeCluster?(): Promise<boolean>
  /** Answer of a health check node port (IPv4). */
  request(request: Pick<CaseRequest, 'port' | 'path'>): Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }>
  openPorts(): Promise<readonly number[]>
  /** Adds tracked flows; the next step may delete some. */
  seed(flows: readonly CaseTracked[]): Promise<void>
  /** Ids of the seeded flows that are still tracked. */
  remaining(): Promise<readonly string[]>
  /** How the last sync looked; only kube-proxy itself is held to it. */
  sync?(family: 4 | 6): Promise<CaseSync & { readonly restoreText: string }>
  end(): Promise<void>
  close(): Promise<void>
}
