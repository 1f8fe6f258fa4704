// The server as a program uses it: options in, a running server with direct access to its objects out.

import type { KubeObject } from '@kubewire/kube-model'
import { storageKey } from './api-object.ts'
import type { Clock } from './clock.ts'
import { runEndpointSliceController } from './controllers/endpoint-slices.ts'
import { runGarbageCollector } from './controllers/garbage.ts'
import { runNamespaceController } from './controllers/namespaces.ts'
import { createState } from './create-state.ts'
import { applyDirectly, kindNamed, putUnchecked } from './direct-access.ts'
import { createFaultRules, type FaultRule, type FaultRules } from './faults/faults.ts'
import { makeCertificate, type ServerCertificate } from './http/certificate.ts'
import { type Listener, listen } from './http/listen.ts'
import { type RecordedRequest, serveRequest } from './http/serve-request.ts'
import { admin, plainUser, type Tokens, type User } from './http/users.ts'
import { printKubeconfig } from './kubeconfig.ts'
import { type FollowedDirectory, type FollowOptions, followDirectory } from './manifests/follow-directory.ts'
import { makeUid, type ServerState } from './server-state.ts'
import { removeObject } from './verbs/delete.ts'

/** How a server behaves. Everything has a default. */
export interface MiniApiServerOptions {
  /** `address:port`; port 0 picks a free one. Default `127.0.0.1:0`. */
  readonly listen?: string
  /** Plain http, where a request without a token is the administrator's. Default: https, self-signed. */
  readonly isPlainHttp?: boolean
  /** A certificate to serve instead of a new one. */
  readonly certificate?: ServerCertificate
  /** Further names and addresses in a new certificate. */
  readonly hosts?: readonly string[]
  /** Token of the administrator; random by default. */
  readonly adminToken?: string
  /** Tokens of users without rights: token → name. */
  readonly plainTokens?: { readonly [token: string]: string }
  /** Ranges of Service addresses, first family first. Default `10.96.0.0/12` and `fd00:10:96::/112`. */
  readonly serviceCidrs?: readonly string[]
  /** Changes kept per resource; a watch from before them is 410. Default 1000. */
  readonly historySize?: number
  /** First resource version; default 1000. */
  readonly firstVersion?: number
  /** Milliseconds between bookmarks; default 60,000. */
  readonly bookmarkIntervalMs?: number
  /** `false` imitates servers that ignore `sendInitialEvents`; default true. */
  readonly hasWatchList?: boolean
  /** Most objects of one page, also without `limit`; 0 (default) is no cap. */
  readonly pageCap?: number
  /** Whether Services with a selector get EndpointSlices for their Pods; default true. */
  readonly runsEndpointSlices?: boolean
  readonly clock?: Clock
  /** 0 ≤ x < 1; seeds uids, addresses, ports and names. */
  readonly random?: () => number
  /** Whether `POST /__faults` is served; default false. */
  readonly allowsFaults?: boolean
  /** A look at every request. */
  readonly onRequest?: (seen: RecordedRequest) => void
}

/** A running server. */
export interface MiniApiServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly adminToken: string
  /** PEM of the certificate; absent on plain http. */
  readonly certificate: string | undefined
  /** A kubeconfig for the administrator, as YAML. */
  kubeconfig(): string
  /** Creates or replaces objects as an administrator would; the namespace is made when it is missing. */
  apply<T extends KubeObject>(...objects: readonly T[]): void
  /**
   * Stores objects exactly as they are, unchecked: what another server or an older release might have let in. Metadata
   * must be complete (uid, creation time); only the resource version is given here.
   */
  put<T extends KubeObject>(...objects: readonly T[]): void
  /** Removes an object at once, whatever holds it. */
  delete(kind: string, name: string, namespace?: string): void
  /** Loads a folder of manifests and follows it; resolves after the first load. */
  followManifests(directory: string, options: FollowOptions): Promise<FollowedDirectory>
  get<T extends KubeObject>(kind: string, name: string, namespace?: string): T | undefined
  list<T extends KubeObject>(kind: string, namespace?: string): readonly T[]
  /** Faults on demand, and those that may still hit something; see `faultKinds` for what each does. */
  readonly faults: { inject(rule: FaultRule): void; clear(): void; list(): readonly FaultRule[] }
  /** Forgets all history before now: older watches, pages and exact lists are answered 410. */
  compact(): void
  /** Cuts every connection; clients may come back at once. */
  dropConnections(): void
  /** The newest resource version. */
  resourceVersion(): string
  close(): Promise<void>
}

/** Starts a server. */
export async function createMiniApiServer(options: MiniApiServerOptions = {}): Promise<MiniApiServer> {
  const adminToken = options.adminToken ?? makeUid(options.random ?? Math.random)
  const state = createState(options, tokensOf(adminToken, options.plainTokens ?? {}))
  const { address, port } = parseListen(options.listen ?? '127.0.0.1:0')
  const isPlain = options.isPlainHttp === true
  const hosts = ['localhost', 'kubernetes', 'kubernetes.default.svc', '127.0.0.1', '::1', ...(options.hosts ?? [])]
  if (address !== '0.0.0.0' && address !== '::' && !hosts.includes(address)) hosts.push(address)
  const certificate = isPlain ? undefined : (options.certificate ?? (await makeCertificate(hosts)))
  const faults = createFaultRules((rule) => runServerFault(state, () => listener, rule))
  const listener: Listener = await listen(
    { address, port, ...(certificate ? { certificate } : {}) },
    (message, response) =>
      serveRequest(
        state,
        {
          trustsAnonymous: isPlain,
          faults,
          allowsFaults: options.allowsFaults === true,
          ...(options.onRequest ? { onRequest: options.onRequest } : {}),
        },
        message,
        response,
      ),
  )
  const stops = [runNamespaceController(state), runGarbageCollector(state)]
  if (options.runsEndpointSlices !== false) stops.push(runEndpointSliceController(state))
  return serverOf(state, listener, address, adminToken, certificate, faults, stops)
}

function runServerFault(state: ServerState, listener: () => Listener, rule: FaultRule): void {
  const act = (): void => {
    if (rule.kind === 'rollback') state.storage.rollBack(Math.max(1, state.storage.version() - (rule.by ?? 1)))
    if (rule.kind === 'restart' || rule.kind === 'compact') state.storage.compact()
    if (rule.kind === 'dropConnections') listener().dropConnections()
    if (rule.kind === 'restart' || rule.kind === 'rollback') listener().restart(rule.downMs ?? 0)
  }
  if (rule.afterMs) state.clock.after(rule.afterMs, act)
  else act()
}

function serverOf(
  state: ServerState,
  listener: Listener,
  address: string,
  adminToken: string,
  certificate: ServerCertificate | undefined,
  faults: FaultRules,
  stops: (() => void)[],
): MiniApiServer {
  const host = address.includes(':') ? `[${address}]` : address
  const url = `${certificate ? 'https' : 'http'}://${host}:${listener.port}`
  const close = () => {
    for (const stop of stops.splice(0)) stop()
    return listener.close()
  }
  return {
    url,
    port: listener.port,
    adminToken,
    certificate: certificate?.cert,
    kubeconfig: () =>
      printKubeconfig({ url, token: adminToken, ...(certificate ? { certificate: certificate.cert } : {}) }),
    apply: (...objects) => {
      for (const object of objects) applyDirectly(state, object)
    },
    put: (...objects) => {
      for (const object of objects) putUnchecked(state, object)
    },
    delete: (kind, name, namespace) => {
      const found = kindNamed(state, kind)
      const object = state.storage.collection(found.storage).get(storageKey(namespace, name))
      if (object) removeObject(state, found, found.fromStorage(object))
    },
    followManifests: async (directory, options) => {
      const followed = await followDirectory(state, directory, options)
      stops.push(() => followed.close())
      return followed
    },
    get: <T extends KubeObject>(kind: string, name: string, namespace?: string) => {
      const found = kindNamed(state, kind)
      const object = state.storage.collection(found.storage).get(storageKey(namespace, name))
      return object && (found.fromStorage(object) as KubeObject as T)
    },
    list: <T extends KubeObject>(kind: string, namespace?: string) => {
      const found = kindNamed(state, kind)
      const all = state.storage.collection(found.storage).list()
      const wanted = namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
      return wanted.map((object) => found.fromStorage(object) as KubeObject as T)
    },
    faults: {
      inject: (rule) => faults.add(rule),
      clear: () => faults.clear(),
      list: () => faults.list(),
    },
    compact: () => state.storage.compact(),
    dropConnections: () => listener.dropConnections(),
    resourceVersion: () => String(state.storage.version()),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function tokensOf(adminToken: string, plain: { readonly [token: string]: string }): Tokens {
  const users = Object.entries(plain).map(([token, name]) => [token, plainUser(name)] as const)
  return new Map<string, User>([...users, [adminToken, admin]])
}

/** `address:port`, `[address]:port` or `:port`. Throws when it is none. */
function parseListen(text: string): { readonly address: string; readonly port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text)
  if (!match) throw new Error(`expected address:port, got ${JSON.stringify(text)}`)
  return { address: match[1] ?? (match[2] || '127.0.0.1'), port: Number(match[3]) }
}
