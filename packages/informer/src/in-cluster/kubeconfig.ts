// Reads a kubeconfig without client-node: server, CA, token, token file, client certificate, basic login, exec plugin.
// Loading client-node costs two seconds at start; only auth providers and proxies still need it.
// Source: client-go `clientcmd` (merge rules), `clientauthentication/v1` (exec).

import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { parseManifests } from '@kubewire/kube-model/manifest'
import type { Cluster } from '../source.ts'
import { WatchError } from '../watch-error.ts'
import { type ExecPlugin, execCredentials } from './exec-credentials.ts'
import { createHttpCluster } from './http-cluster.ts'
import type { Credentials, Login, TlsMaterial } from './login.ts'
import { type FileReader, fileReader } from './read-file.ts'

/** Which kubeconfig and which part of it. */
export interface KubeconfigOptions {
  /** A file, or several joined like `$PATH`; default `$KUBECONFIG`, else `~/.kube/config`. */
  readonly path?: string
  /** The text itself instead of a file. */
  readonly text?: string
  /** Default: the file's `current-context`. */
  readonly context?: string
  /** Replaces the server's URL, as kubectl's `--server`. */
  readonly server?: string
  readonly env?: { readonly [name: string]: string | undefined }
}

/** The parts of a kubeconfig that a context selects. */
export interface KubeconfigContext {
  readonly contextName: string
  readonly namespace?: string
  readonly cluster: ClusterEntry
  readonly user: UserEntry
  /** Relative paths in the file count from here. */
  readonly directory: string
}

interface ClusterEntry {
  readonly server?: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'tls-server-name'?: string
  readonly 'proxy-url'?: string
}

interface UserEntry {
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly as?: string
  readonly 'as-groups'?: readonly string[]
  readonly exec?: ExecPlugin
  readonly 'auth-provider'?: unknown
}

interface Named {
  readonly name?: string
  readonly cluster?: ClusterEntry
  readonly user?: UserEntry
  readonly context?: { readonly cluster?: string; readonly user?: string; readonly namespace?: string }
}

interface KubeconfigFile {
  readonly 'current-context'?: string
  readonly clusters?: readonly Named[]
  readonly users?: readonly Named[]
  readonly contexts?: readonly Named[]
  readonly directory: string
}

/**
 * Connects as a kubeconfig says. Rejects with `INF_CONNECT` when there is no such file, context or server, and when the
 * login needs an auth provider or a proxy (`connectCluster` of `informer/client-node` can do those).
 */
export async function connectKubeconfig(options: KubeconfigOptions = {}): Promise<Cluster> {
  const context = await readKubeconfig(options)
  const unsupported = unsupportedIn(context)
  if (unsupported !== undefined) {
    throw kubeconfigError(`context "${context.contextName}" uses ${unsupported}, which needs informer/client-node`)
  }
  return connectContext(context)
}

/** Connects as a context says that has been read, and that needs nothing which this reader cannot do. */
export function connectContext(context: KubeconfigContext): Cluster {
  const login = loginOf(context)
  const isLocal = /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(login.server)
  return createHttpCluster(login, { isCompressed: !isLocal })
}

/** What a context of a kubeconfig names. Rejects with `INF_CONNECT` when something is missing. */
export async function readKubeconfig(options: KubeconfigOptions = {}): Promise<KubeconfigContext> {
  const files = await readFiles(options)
  const contextName = options.context ?? files.map((file) => file['current-context']).find((name) => name) ?? ''
  // Of several files, the first that defines a name counts (client-go merge rules).
  const find = (list: 'clusters' | 'users' | 'contexts', name: string | undefined): Found | undefined => {
    for (const file of files) {
      const entry = file[list]?.find((candidate) => candidate.name === name)
      if (entry !== undefined) return { entry, directory: file.directory }
    }
    return undefined
  }
  const context = find('contexts', contextName)?.entry.context
  if (context === undefined) throw kubeconfigError(`expected a context "${contextName}", there is none`)
  const cluster = find('clusters', context.cluster)
  const server = options.server ?? cluster?.entry.cluster?.server
  if (!server) throw kubeconfigError(`expected a server in cluster "${context.cluster ?? ''}", there is none`)
  return {
    contextName,
    ...(context.namespace === undefined ? {} : { namespace: context.namespace }),
    cluster: { ...cluster?.entry.cluster, server },
    user: find('users', context.user)?.entry.user ?? {},
    directory: cluster?.directory ?? '.',
  }
}

/** What in the context this reader cannot do; `undefined` when it can do all of it. */
export function unsupportedIn({ cluster, user }: KubeconfigContext): string | undefined {
  if (user['auth-provider'] !== undefined) return 'an auth provider'
  return cluster['proxy-url'] === undefined ? undefined : 'a proxy'
}

/** The login a context describes. */
export function loginOf({ cluster, user, directory }: KubeconfigContext): Login {
  const file = (path: string | undefined): FileReader | undefined =>
    path ? fileReader(isAbsolute(path) ? path : join(directory, path)) : undefined
  const files = {
    ca: file(cluster['certificate-authority']),
    cert: file(user['client-certificate']),
    key: file(user['client-key']),
    token: file(user.tokenFile),
  }
  const plugin = user.exec === undefined ? undefined : execCredentials(user.exec, directory)
  return {
    server: cluster.server ?? '',
    credentials: async (): Promise<Credentials> => {
      const fromPlugin = await plugin?.credentials()
      const token = fromPlugin?.token ?? (files.token ? (await files.token.read()).trim() : user.token)
      const tls: TlsMaterial = {
        ...material('ca', cluster['certificate-authority-data'], await files.ca?.read()),
        ...material(
          'cert',
          user['client-certificate-data'],
          fromPlugin?.clientCertificate ?? (await files.cert?.read()),
        ),
        ...material('key', user['client-key-data'], fromPlugin?.clientKey ?? (await files.key?.read())),
        ...(cluster['insecure-skip-tls-verify'] ? { rejectUnauthorized: false } : {}),
        ...(cluster['tls-server-name'] ? { servername: cluster['tls-server-name'] } : {}),
      }
      return { headers: headersOf(user, token), tls }
    },
    refresh: () => {
      plugin?.forget()
      for (const reader of Object.values(files)) reader?.forget()
    },
  }
}

interface Found {
  readonly entry: Named
  readonly directory: string
}

async function readFiles({ path, text, env = process.env }: KubeconfigOptions): Promise<KubeconfigFile[]> {
  if (text !== undefined) return [parseFile(text, 'kubeconfig', '.')]
  const wanted = path ?? env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config')
  const files: KubeconfigFile[] = []
  const names = wanted.split(delimiter).filter((name) => name !== '')
  for (const name of names) {
    try {
      files.push(parseFile(await readFile(name, 'utf8'), name, dirname(name)))
    } catch (cause) {
      // Missing files of a list are skipped; a single one must be there.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    }
  }
  if (files.length === 0) throw kubeconfigError(`expected a kubeconfig at ${wanted}, there is none`)
  return files
}

function parseFile(text: string, name: string, directory: string): KubeconfigFile {
  // Kubeconfigs may leave apiVersion and kind out; the manifest reader wants both.
  const isTyped = /^\s*"?kind"?\s*:/m.test(text) && /^\s*"?apiVersion"?\s*:/m.test(text)
  const { objects, problems } = parseManifests(
    isTyped || text.trimStart().startsWith('{') ? text : `apiVersion: v1\nkind: Config\n${text}`,
    name,
  )
  const [config] = objects
  if (config === undefined)
    throw kubeconfigError(`${name}: ${problems[0]?.message ?? 'expected a kubeconfig, the file is empty'}`)
  return { ...(config as object), directory }
}

// Data in the file wins over a path (client-go).
function material(name: 'ca' | 'cert' | 'key', data: string | undefined, fromFile: string | undefined): TlsMaterial {
  if (data) return { [name]: Buffer.from(data, 'base64') }
  return fromFile === undefined ? {} : { [name]: fromFile }
}

function headersOf(user: UserEntry, token: string | undefined): Credentials['headers'] {
  const basic = user.username ? Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64') : undefined
  return {
    ...(token ? { authorization: `Bearer ${token}` } : basic ? { authorization: `Basic ${basic}` } : {}),
    ...(user.as ? { 'impersonate-user': user.as } : {}),
    ...(user['as-groups']?.length ? { 'impersonate-group': user['as-groups'] } : {}),
  }
}

function kubeconfigError(message: string): WatchError {
  return new WatchError({ code: 'INF_CONNECT', step: 'connect', message: `kubeconfig: ${message}` })
}
