// The kubeconfig that clients use to reach this server.

/** Where the server is and how to log in. */
export interface KubeconfigOptions {
  readonly url: string
  readonly token: string
  /** PEM; absent for plain http. */
  readonly certificate?: string
}

/** Prints a kubeconfig with one cluster, one user and one context, all called `mini`. */
export function printKubeconfig({ url, token, certificate }: KubeconfigOptions): string {
  const trust =
    certificate === undefined ? [] : [`    certificate-authority-data: ${Buffer.from(certificate).toString('base64')}`]
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: mini',
    'clusters:',
    '- name: mini',
    '  cluster:',
    `    server: ${url}`,
    ...trust,
    'contexts:',
    '- name: mini',
    '  context: {cluster: mini, user: mini, namespace: default}',
    'users:',
    '- name: mini',
    '  user:',
    `    token: ${token}`,
    '',
  ].join('\n')
}
