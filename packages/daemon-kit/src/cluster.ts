// From the flags of a daemon to a cluster: kubeconfig, service account, or a server's address with key files. The only
// file of the shell that reaches for client-node, through the informer, which loads it for rare logins only.

import type { Cluster } from '@kubewire/informer'
import { connectCluster as connectInformerCluster } from '@kubewire/informer/client-node'

/** Whom to talk to; nothing at all means `$KUBECONFIG`, `~/.kube/config` or the pod's service account, in this order. */
export interface ConnectClusterOptions {
  /** Path of a kubeconfig. */
  readonly kubeconfig?: string
  /** A context of it; default its current one. */
  readonly context?: string
  /** URL of the API server; replaces the kubeconfig's, or stands alone. */
  readonly server?: string
  /** With `server` alone: files with the CA, a client certificate and its key. */
  readonly tlsFiles?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

/**
 * Connects for reading (`source`) and writing (`request`). Only configuration is read; nothing is asked of the server.
 *
 * @throws WatchError `INF_CONNECT` when there is nothing to go by
 */
export function connectCluster(options: ConnectClusterOptions = {}): Promise<Cluster> {
  const { kubeconfig, context, server } = options
  if (kubeconfig === undefined && server !== undefined) {
    return connectInformerCluster({ text: kubeconfigOf(server, options.tlsFiles ?? {}) })
  }
  return connectInformerCluster({
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(server === undefined ? {} : { server }),
  })
}

function kubeconfigOf(server: string, files: NonNullable<ConnectClusterOptions['tlsFiles']>): string {
  const cluster = { server, ...(files.ca === undefined ? {} : { 'certificate-authority': files.ca }) }
  const user = {
    ...(files.cert === undefined ? {} : { 'client-certificate': files.cert }),
    ...(files.key === undefined ? {} : { 'client-key': files.key }),
  }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'given',
    clusters: [{ name: 'given', cluster }],
    users: [{ name: 'given', user }],
    contexts: [{ name: 'given', context: { cluster: 'given', user: 'given' } }],
  })
}
