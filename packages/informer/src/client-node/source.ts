// The universal way to connect: kubeconfig or service account, read by ourselves where we can. client-node is loaded
// only for what it alone knows (auth providers, proxies, a `KubeConfig` of the caller), since that costs two seconds.

import type { KubeConfig } from '@kubernetes/client-node'
import { connectInCluster } from '../in-cluster/connect.ts'
import { createHttpCluster } from '../in-cluster/http-cluster.ts'
import {
  connectContext,
  type KubeconfigContext,
  type KubeconfigOptions,
  readKubeconfig,
  unsupportedIn,
} from '../in-cluster/kubeconfig.ts'
import type { Credentials, Login, TlsMaterial } from '../in-cluster/login.ts'
import type { Cluster } from '../source.ts'
import { WatchError } from '../watch-error.ts'

/** How to connect. */
export interface ConnectOptions extends KubeconfigOptions {
  /** A `KubeConfig` of client-node that is loaded already; everything else is then ignored but `context`. */
  readonly kubeConfig?: KubeConfig
}

/**
 * Connects to a cluster as client-go's tools do: `$KUBECONFIG` or `~/.kube/config` when there is one, else the service
 * account of the pod. Plain `http:` servers are allowed. Rejects with `INF_CONNECT` when there is nothing to go by.
 *
 * @example
 * const cluster = await connectCluster({ context: 'staging' })
 */
export async function connectCluster(options: ConnectOptions = {}): Promise<Cluster> {
  if (options.kubeConfig !== undefined)
    return clientNodeCluster(() => options.kubeConfig as KubeConfig, options.context)
  const context = await findContext(options)
  if (context === undefined) return connectInCluster(options.env === undefined ? {} : { env: options.env })
  if (unsupportedIn(context) === undefined) return connectContext(context)
  return connectWithClientNode(options)
}

async function findContext(options: ConnectOptions): Promise<KubeconfigContext | undefined> {
  const { env = process.env } = options
  const isNamed = options.path !== undefined || options.text !== undefined || env['KUBECONFIG'] !== undefined
  try {
    return await readKubeconfig(options)
  } catch (error) {
    if (isNamed || !env['KUBERNETES_SERVICE_HOST']) throw error
    return undefined
  }
}

async function connectWithClientNode(options: ConnectOptions): Promise<Cluster> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node')
  const load = (): KubeConfig => {
    const config = new Config()
    if (options.text !== undefined) config.loadFromString(options.text)
    else if (options.path !== undefined) config.loadFromFile(options.path)
    else config.loadFromDefault()
    return config
  }
  return clientNodeCluster(load, options.context)
}

/** A cluster whose credentials come from `KubeConfig.applyToHTTPSOptions`; `load` makes a fresh configuration. */
function clientNodeCluster(load: () => KubeConfig, context: string | undefined): Cluster {
  let config: KubeConfig | undefined
  const current = (): KubeConfig => {
    if (config !== undefined) return config
    config = load()
    if (context !== undefined) config.setCurrentContext(context)
    return config
  }
  const server = current().getCurrentCluster()?.server
  if (!server)
    throw new WatchError({
      code: 'INF_CONNECT',
      step: 'connect',
      message: 'expected a current cluster in the KubeConfig',
    })
  let proxyAgent: Credentials['agent']
  const login: Login = {
    server,
    credentials: async () => {
      const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {}
      // client-node refuses plain http although `kubectl proxy` needs it; such servers take no credentials.
      if (server.startsWith('https:')) await current().applyToHTTPSOptions(options)
      const { ca, cert, key, servername, rejectUnauthorized } = options as TlsMaterial
      // A new agent comes with every call; only the way through a proxy is worth keeping, once.
      if (current().getCurrentCluster()?.proxyUrl) proxyAgent ??= options.agent as Credentials['agent']
      return {
        headers: (options.headers ?? {}) as Credentials['headers'],
        tls: {
          ...(ca === undefined ? {} : { ca }),
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
          ...(servername === undefined ? {} : { servername }),
          ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
        },
        ...(proxyAgent === undefined ? {} : { agent: proxyAgent }),
      }
    },
    // Its credential caches live in the instance: only another instance forgets them.
    refresh: () => {
      config = undefined
      proxyAgent = undefined
    },
  }
  return createHttpCluster(login)
}
