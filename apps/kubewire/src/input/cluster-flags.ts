// `--context`, `--kubeconfig`, `-n`, `-l`: a running cluster as input, as kubectl spells it.

/** The flags of every command that can ask a cluster. */
export const clusterFlags = {
  context: { kind: 'string', default: '', help: 'ask the cluster of this kubeconfig context instead of files' },
  kubeconfig: { kind: 'string', default: '', help: 'ask the cluster of this kubeconfig instead of files' },
  namespace: { kind: 'string', default: '', help: 'only Services and Ingresses of this namespace', shorthand: 'n' },
  selector: {
    kind: 'string',
    default: '',
    help: 'only Services and Ingresses with these labels, such as app=tea',
    shorthand: 'l',
  },
} as const

/** What was asked for. */
export interface ClusterValues {
  readonly context: string
  readonly kubeconfig: string
  readonly namespace: string
  readonly selector: string
}

/** Whether the command line names a cluster. */
export function namesCluster(values: ClusterValues): boolean {
  return values.context !== '' || values.kubeconfig !== ''
}
