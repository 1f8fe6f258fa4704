// What scenarios in files have in common, whatever they are about: a file, its probes, and what each probe gave.

/** One scenario file, parsed. */
export interface CaseFile {
  /** Where it was found. */
  readonly path: string
  /** Folder of the file, the name of its suite in tables. */
  readonly suite: string
  /** File name without its ending. */
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What one probe gave. A file may hold many probes. */
export interface ProbeResult {
  /** Unique inside the file: `queries[3] tea.shop.svc.cluster.local. A`. */
  readonly probe: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed (wanted and found), or why it was skipped. */
  readonly detail?: string
}
