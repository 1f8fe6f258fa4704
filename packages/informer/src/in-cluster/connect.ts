// Login of a pod with its service account. Does not load client-node (saves 80 MB and a second of start).
// Source: client-go `rest.InClusterConfig`; the token is bound and rotates, so the file is read again.

import { readFile } from 'node:fs/promises'
import type { Cluster } from '../source.ts'
import { WatchError } from '../watch-error.ts'
import { createHttpCluster } from './http-cluster.ts'
import type { Login } from './login.ts'
import { fileReader } from './read-file.ts'

/** Where a pod finds its account; the defaults are the kubelet's. */
export interface InClusterOptions {
  /** Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly directory?: string
  /** Default `process.env`. */
  readonly env?: { readonly [name: string]: string | undefined }
}

/**
 * Connects to the API server of the cluster this process runs in. Rejects with `INF_CONNECT` when this is no pod. The
 * token file is read again after a minute and after a 401, the CA file with it.
 */
export async function connectInCluster(options: InClusterOptions = {}): Promise<Cluster> {
  const { directory = '/var/run/secrets/kubernetes.io/serviceaccount', env = process.env } = options
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (!host || !port) {
    const message = 'expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, this is no pod'
    throw new WatchError({ code: 'INF_CONNECT', step: 'connect', message })
  }
  const token = fileReader(`${directory}/token`)
  const ca = fileReader(`${directory}/ca.crt`)
  const login: Login = {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    credentials: async () => ({
      headers: { authorization: `Bearer ${(await token.read()).trim()}` },
      tls: { ca: await ca.read() },
    }),
    refresh: () => {
      token.forget()
      ca.forget()
    },
  }
  // Missing files should be told at the start, not by a watch that is refused for ever.
  await readFile(`${directory}/token`)
  return createHttpCluster(login)
}

/** The namespace of the pod; `undefined` outside of a cluster. */
export async function inClusterNamespace(options: InClusterOptions = {}): Promise<string | undefined> {
  const { directory = '/var/run/secrets/kubernetes.io/serviceaccount' } = options
  try {
    return (await readFile(`${directory}/namespace`, 'utf8')).trim() || undefined
  } catch {
    return undefined
  }
}
