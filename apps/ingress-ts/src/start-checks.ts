// What is looked at once before anything runs: ports, the API server, objects that flags name, the zone of the own node.
// Source: ingress-nginx 1.15 cmd/nginx/main.go and pkg/flags; reference, process and start-up.

import { createServer } from 'node:net'
import { type Clock, type Log, systemClock, systemRandom } from '@kubewire/daemon-kit'
import { type Cluster, resourcePath, WatchError } from '@kubewire/informer'
import { Namespaces, Nodes, Pods, Services } from '@kubewire/informer/resources'
import type { Node, Pod } from '@kubewire/kube-model'
import type { Flags } from './check-flags.ts'

/** A reason not to start. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Whether a TCP port can be listened on, all addresses; if not, the code of the error. */
export type PortProbe = (port: number) => Promise<string | undefined>

const checkedPorts = [
  'http-port',
  'https-port',
  'default-server-port',
  'status-port',
  'stream-port',
  'profiler-port',
] as const

/** Flags whose port cannot be listened on, in words. */
export async function checkPorts(flags: Flags, probe: PortProbe = tryPort): Promise<readonly string[]> {
  const names = flags['enable-ssl-passthrough']
    ? ([...checkedPorts, 'ssl-passthrough-proxy-port'] as const)
    : checkedPorts
  const errors: string[] = []
  for (const name of names) {
    const code = await probe(flags[name])
    if (code === 'EADDRINUSE') errors.push(`port ${flags[name]} is already in use, check the flag --${name}`)
    // EACCES says nothing: nginx itself may have the right that we have not (its file's capability), and speaks for itself.
    else if (code !== undefined && code !== 'EACCES')
      errors.push(`port ${flags[name]} cannot be listened on (${code}), check the flag --${name}`)
  }
  return errors
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, () => server.close(() => resolve(undefined)))
  })
}

// 10 tries, 1 s and then 1.5 times as long each time, a tenth more or less (reference, process and start-up).
const serverTries = 10

/** What the waiting is done with. */
interface CheckOptions {
  readonly clock?: Clock
  readonly random?: () => number
  /** Ends the waiting without a verdict. */
  readonly signal?: AbortSignal
}

/**
 * Waits for an answer of the API server, then looks for what flags name.
 *
 * @throws StartError when the server does not answer or a named object does not exist
 */
export async function checkCluster(
  cluster: Cluster,
  flags: Flags,
  log: Log,
  { clock = systemClock, random = systemRandom, signal }: CheckOptions = {},
): Promise<void> {
  let delayMs = 1000
  for (let left = serverTries - 1; ; left--) {
    const error = await cluster.request<ServerVersion>({ method: 'GET', path: '/version' }).then(
      (version) => mustBeRecent(version),
      (reason: unknown) => (isAnswer(reason) ? undefined : textOf(reason)),
    )
    if (signal?.aborted) return
    if (error === undefined) break
    if (left === 0) throw new StartError(`the API server does not answer: ${error}`)
    log.warn('the API server does not answer, trying again', { error, left })
    await clock.sleep(delayMs * (1 + (random() - 0.5) / 5), signal)
    if (signal?.aborted) return
    delayMs *= 1.5
  }
  for (const name of ['default-backend-service', 'publish-service'] as const) {
    const [namespace = '', service = ''] = flags[name].split('/')
    if (flags[name] === '') continue
    if (namespace === '' || service === '')
      throw new StartError(`expected namespace/name in --${name}, got ${flags[name]}`)
    await mustExist(cluster, resourcePath(Services, { namespace, name: service }), `Service ${flags[name]}`, name)
  }
  const namespace = flags['watch-namespace']
  if (namespace !== '')
    await mustExist(cluster, resourcePath(Namespaces, { name: namespace }), `Namespace ${namespace}`, 'watch-namespace')
}

interface ServerVersion {
  readonly major?: string
  readonly minor?: string
}

// Ingresses of networking.k8s.io/v1 exist since 1.19. Providers write a sign behind the number.
function mustBeRecent({ major, minor }: ServerVersion): void {
  const [first, second] = [major, minor].map((text) => Number.parseInt(text ?? '', 10))
  if (first === 1 && second !== undefined && second < 19)
    throw new StartError(`expected Kubernetes 1.19 or newer, the API server is ${major}.${minor}`)
}

async function mustExist(cluster: Cluster, path: string, what: string, flag: string): Promise<void> {
  try {
    await cluster.request({ method: 'GET', path })
  } catch (error) {
    const isAbsent = error instanceof WatchError && error.status?.code === 404
    throw new StartError(`${what} of --${flag} ${isAbsent ? 'does not exist' : `cannot be read: ${textOf(error)}`}`)
  }
}

/** The Pod we run in, as its environment names it (reference, process and start-up). */
export function ownPod(env: {
  readonly [name: string]: string | undefined
}): { readonly name: string; readonly namespace: string } | undefined {
  const { POD_NAME: name, POD_NAMESPACE: namespace } = env
  return name && namespace ? { name, namespace } : undefined
}

const zoneLabel = 'topology.kubernetes.io/zone'

/** Zone of the node of the own Pod, for topology hints; `undefined` with a warning where it cannot be found out. */
export async function zoneOfPod(
  cluster: Cluster,
  pod: { readonly name: string; readonly namespace: string },
  log: Log,
): Promise<string | undefined> {
  try {
    const { spec } = await cluster.request<Pod>({ method: 'GET', path: resourcePath(Pods, pod) })
    const name = spec?.nodeName
    if (name === undefined || name === '') return undefined
    const node = await cluster.request<Node>({ method: 'GET', path: resourcePath(Nodes, { name }) })
    return node.metadata?.labels?.[zoneLabel]
  } catch (error) {
    log.warn('the zone of the node is not known, topology hints are not followed', { error: textOf(error) })
    return undefined
  }
}

// Whatever the server says, it is there.
function isAnswer(error: unknown): boolean {
  return error instanceof WatchError && error.status?.code !== undefined
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
