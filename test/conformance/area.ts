// The contract between the conformance runner and its areas (dns, proxy, ingress, api).
// The runner finds files, tells suites apart, selects, counts and prints; an area knows one case format.

import type { CaseFile, ProbeResult } from '@kubewire/kube-model/cases'

export type { CaseFile, ProbeResult } from '@kubewire/kube-model/cases'

/** How the probes are run. */
export interface RunOptions {
  readonly target: 'ours' | 'original'
  readonly api: 'mini' | 'real'
  /** `real`: running daemons, sockets, kernel, nginx. `library`: in process where that is possible. */
  readonly via: 'real' | 'library'
  /** Further words for the area, from `--set key=value` (for example `backend=legacy`, `routes=static`). */
  readonly settings: Readonly<Record<string, string>>
  /** Progress for people, on stderr. */
  readonly progress: (line: string) => void
}

/** One area. `claims` and `unknownKeys` are pure; everything else happens in `open`. */
export interface Area {
  readonly name: 'api' | 'dns' | 'ingress' | 'proxy'
  /** Suites of the checkout that belong to this area, as folders below `cases/`. */
  readonly suites: readonly string[]
  /** Whether this file's keys are of this area's formats. */
  claims(data: Readonly<Record<string, unknown>>): boolean
  /** Keys anywhere in the file that the format does not have; a runner must fail on them. */
  unknownKeys(file: CaseFile): readonly string[]
  /** Makes what all cases share (namespaces, servers). Throws an Error that says what is missing. */
  open(options: RunOptions): Promise<AreaRun>
}

/** An opened area. Cases are run one after the other. */
export interface AreaRun {
  runCase(file: CaseFile): Promise<readonly ProbeResult[]>
  close(): Promise<void>
}
