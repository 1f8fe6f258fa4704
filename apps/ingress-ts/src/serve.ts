// The wiring, top to bottom: cluster → snapshots → wanted states → nginx, and what stands around it.
// Order of the start and of the end: reference, process and start-up, graceful shutdown.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  connectCluster,
  createMetrics,
  createShutdown,
  type Log,
  type Metrics,
  type Shutdown,
  systemClock,
} from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'
import type { ObjectKey } from '@kubewire/kube-model'
import { luaFiles } from '@kubewire/nginx-gen'
import { serveAdmission } from './admission.ts'
import { createFakeCertificate } from './certificates/fake-certificate.ts'
import type { Flags } from './check-flags.ts'
import { type ClusterState, createClusterState } from './cluster/cluster-state.ts'
import { createNameResolver } from './cluster/resolve-names.ts'
import { configPaths, controllerOptions, requestMetricsOf } from './controller-options.ts'
import { serveHealth } from './health.ts'
import { type ControllerLabels, type ControllerMetrics, createControllerMetrics } from './metrics/metrics.ts'
import { registerNginxMetrics } from './metrics/nginx-metrics.ts'
import { type RequestMetrics, serveBatches } from './metrics/request-metrics.ts'
import { createDataPush } from './nginx/data-push.ts'
import { geoip2Folder } from './nginx/installed-modules.ts'
import { linkLua } from './nginx/link-lua.ts'
import { createNginxFiles } from './nginx/nginx-files.ts'
import { createNginxProcess } from './nginx/nginx-process.ts'
import { findRunningNginx, type RunningNginx } from './nginx/running-nginx.ts'
import { createStaticPush } from './nginx/static-push.ts'
import { createEventWriter, type EventWriter } from './report/events.ts'
import { createReporter } from './report/report.ts'
import { createStatusWriter, type StatusWriter } from './report/status.ts'
import { checkCluster, checkPorts, ownPod, StartError, zoneOfPod } from './start-checks.ts'
import { type Controller, createController } from './sync/controller.ts'
import { followExtension, loadExtension } from './sync/extension-file.ts'
import { createStateRenderer, type NamedExtension, type StateRenderer } from './sync/render-state.ts'
import { createSynchronizer, type Synchronizer, type SyncParts } from './sync/sync.ts'
import { version } from './version.ts'

/** What every part of the daemon is made with. */
interface Base {
  readonly flags: Flags
  readonly log: Log
  readonly shutdown: Shutdown
  readonly cluster: Cluster
  readonly pod: { readonly name: string; readonly namespace: string }
  readonly metrics: Metrics
  readonly labels: ControllerLabels
  readonly controllerMetrics: ControllerMetrics
  readonly events: EventWriter
}

/** Runs until a signal ends it. Resolves with the exit status. */
export async function serve(flags: Flags, env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  // An nginx of ours that still serves holds the ports.
  const found = findRunningNginx(flags['run-directory'])
  const taken = found === undefined ? await checkPorts(flags) : []
  for (const error of taken) log.error(error)
  if (taken.length > 0) return 1
  const pod = ownPod(env)
  if (pod === undefined) {
    log.error('expected POD_NAME and POD_NAMESPACE in the environment: they name the Lease, Events and metrics')
    return 1
  }
  const fallbackCertificate = createFakeCertificate(systemClock.nowMs()) // on other threads, for a while
  const base = await createBase(flags, pod, log)
  try {
    const { signal, done } = base.shutdown
    await Promise.race([checkCluster(base.cluster, flags, log, { signal }), done])
    if (signal.aborted) {
      await done
      return 0
    }
    const extension = flags.extension === '' ? undefined : await firstExtension(flags.extension)
    return await run(base, { found, extension, fallbackCertificate })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log.error(error.message)
    await base.cluster.close()
    return 1
  }
}

async function firstExtension(file: string): Promise<NamedExtension> {
  try {
    return await loadExtension(file, 0)
  } catch (error) {
    throw new StartError(`the extension ${file} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** What was found or begun before anything runs. */
interface Beginning {
  readonly found: RunningNginx | undefined
  readonly extension: NamedExtension | undefined
  readonly fallbackCertificate: Promise<string>
}

async function run(base: Base, { found, extension, fallbackCertificate }: Beginning): Promise<number> {
  const { flags, log, shutdown, metrics, labels } = base
  const files = await createNginxFiles(flags['run-directory'], flags['nginx-user'])
  tellClosedFolder(files.closedFolder, base)
  tellMissingDownloads(base)
  const state = await watchCluster(base)
  const requestMetrics = await startRequestMetrics(base, files.metricsSocket)
  const zone = flags['enable-topology-aware-routing'] ? await zoneOfPod(base.cluster, base.pod, log) : undefined
  const options = controllerOptions(flags, state.hasIngressClasses, zone)
  const push = flags.dynamic ? createDataPush(files.controlSocket) : createStaticPush(() => nginx.pid)
  const nginx = createNginxProcess(
    {
      binary: flags['nginx-binary'],
      runDir: files.runDir,
      log,
      onExit: (status) => {
        log.error('nginx ended, it is started again', { status })
        synchronizer.forgetRunning()
        controller.markDirty()
      },
    },
    found?.pid,
  )
  registerNginxMetrics(metrics, labels, { status: push.status, masterPid: () => nginx.pid })
  const resolver = createNameResolver(() => controller.markDirty())
  shutdown.defer('name resolver', () => resolver.close())
  const renderer = createStateRenderer({
    options,
    paths: configPaths(flags, files, linkLua(files.runDir, luaFolder())),
    routes: flags.dynamic && flags.routes === 'data' ? 'data' : 'static',
    filesDir: files.filesDir,
    fallbackCertificate,
    resolve: resolver.resolve,
  })
  const history: ReloadHistory = { reloads: 0, reasons: [] }
  const parts = { renderer, files, nginx, push, found: found?.config, settle: state.settle }
  const synchronizer = startSynchronizer(base, parts, history)
  const status = startStatus(base, synchronizer)
  const controller = createController({
    ...{ state, synchronizer, resolver, nginx, log },
    onSynced: reportSyncs(base, requestMetrics, synchronizer, status),
  })
  if (extension !== undefined) useExtension(base, extension, { renderer, controller })
  let isShuttingDown = false
  const endpoints = await serveHealth({
    address: flags['healthz-host'],
    port: flags['healthz-port'],
    healthPath: flags['health-check-path'],
    ...{ metrics, nginx, push, log },
    isShuttingDown: () => isShuttingDown,
    progress: () => ({ ...controller.progress(), ...history }),
  })
  shutdown.defer('health endpoint', () => endpoints.close())
  // Whoever has taken over goes on with it.
  shutdown.defer('nginx', async () => {
    if (await push.isOwner().catch(() => true)) await nginx.quit(workerLimitMs)
    else nginx.leave()
  })
  shutdown.defer('sync loop', () => controller.close())
  if (status !== undefined) shutdown.defer('status', () => status.close())
  shutdown.defer('grace period', async () => {
    isShuttingDown = true
    await systemClock.sleep(flags['shutdown-grace-period'] * 1000)
  })
  await followCluster(base, { state, controller, options })
  await shutdown.done
  await systemClock.sleep(flags['post-shutdown-grace-period'] * 1000)
  return 0
}

/** Tells of each sync that left nothing waiting. */
function reportSyncs(
  { controllerMetrics, events, flags, log }: Base,
  requestMetrics: RequestMetrics | undefined,
  synchronizer: Synchronizer,
  status: StatusWriter | undefined,
): (isFull: boolean) => void {
  const tellsSyncs = !flags['disable-sync-events']
  const report = createReporter({ metrics: controllerMetrics, requestMetrics, events, tellsSyncs, log })
  return (isFull) => {
    report(isFull ? 'now' : 'soon', synchronizer)
    if (isFull) status?.wake()
  }
}

function tellClosedFolder(folder: string | undefined, { log, flags }: Base): void {
  if (folder === undefined) return
  const lost = 'passwords, large bodies and request metrics do not work'
  const user = flags['nginx-user']
  log.error(`the workers of nginx may not pass a folder above the run directory: ${lost}`, { folder, user })
}

function tellMissingDownloads({ log, flags }: Base): void {
  if (flags['maxmind-license-key'] === '' && flags['maxmind-mirror'] === '') return
  log.warn('databases of MaxMind are not downloaded, use-geoip2 works with those that are there', {
    folder: geoip2Folder,
  })
}

/** Extends the renderer now, and again whenever the file changes. */
function useExtension(
  { log, shutdown }: Base,
  extension: NamedExtension,
  { renderer, controller }: { readonly renderer: StateRenderer; readonly controller: Controller },
): void {
  renderer.extend(extension)
  const extendAnew = (changed: NamedExtension): void => {
    log.info('the extension has changed', { file: changed.file })
    renderer.extend(changed)
    controller.markDirty()
  }
  const following = followExtension(extension.file, extendAnew, log)
  shutdown.defer('extension', () => following.close())
}

type AdmissionOptions = Parameters<typeof serveAdmission>[0]['options']

/** Waits for the first state, then lets every change of the cluster reach the controller. */
async function followCluster(
  base: Base,
  parts: { readonly state: ClusterState; readonly controller: Controller; readonly options: AdmissionOptions },
): Promise<void> {
  const { flags, log, shutdown } = base
  const { state, controller, options } = parts
  log.info('waiting for the first state of the cluster')
  // A signal closes the informers, which then can never be in sync.
  await Promise.race([state.synced().catch((error) => unlessEnding(error, shutdown)), shutdown.done])
  if (!shutdown.signal.aborted) log.info('the first state of the cluster is known')
  const changes = state.changes$.subscribe((change) => controller.markDirty(change))
  shutdown.defer('changes', () => changes.unsubscribe())
  controller.markDirty()
  if (flags['validating-webhook'] !== '') {
    const webhook = await startAdmission(base, state, options)
    shutdown.defer('admission webhook', () => webhook.close())
  }
}

function unlessEnding(error: unknown, { signal }: Shutdown): void {
  if (!signal.aborted) throw error
}

async function startRequestMetrics(base: Base, socket: string): Promise<RequestMetrics | undefined> {
  const requestMetrics = requestMetricsOf(base.flags, base.metrics, base.labels)
  if (requestMetrics === undefined) return undefined
  const batches = await serveBatches(socket, requestMetrics, base.log)
  base.shutdown.defer('request metrics', () => void batches.close())
  return requestMetrics
}

/** Reloads so far and why the last one was. */
interface ReloadHistory {
  reloads: number
  reasons: readonly string[]
}

/** The synchronizer, with what it tells metrics, events and the history of reloads. */
function startSynchronizer(
  base: Base,
  parts: Pick<SyncParts, 'renderer' | 'files' | 'nginx' | 'push' | 'found' | 'settle'>,
  history: ReloadHistory,
): Synchronizer {
  const { flags, log, events } = base
  return createSynchronizer({
    ...parts,
    log,
    configMap: flags.configmap === '' ? undefined : (flags.configmap as ObjectKey),
    reloadsPerSecond: flags['sync-rate-limit'],
    pushRetries: flags['dynamic-configuration-retries'],
    drainMs: flags['reload-drain'],
    onAccepted: () => base.controllerMetrics.accepted(),
    onReload: (outcome) => {
      tellReload(base, outcome)
      if (!outcome.isAccepted) return
      history.reloads++
      history.reasons = outcome.reasons
    },
    onQuarantine: (object, refusal) =>
      events.tell({
        object,
        type: 'Warning',
        reason: 'Quarantined',
        message: `nginx refuses what this leads to: ${refusal?.message ?? ''}`,
      }),
  })
}

// Longer than any worker-shutdown-timeout: nginx ends its workers itself before.
const workerLimitMs = 290_000

async function createBase(flags: Flags, pod: Base['pod'], log: Log): Promise<Base> {
  const shutdown = createShutdown({ log, limitMs: 300_000 })
  const cluster = await connectCluster(clusterOptions(flags))
  shutdown.defer('connection to the cluster', () => cluster.close())
  const metrics = createMetrics()
  const labels = {
    controller_namespace: pod.namespace,
    controller_class: flags['controller-class'],
    controller_pod: pod.name,
  }
  return {
    flags,
    log,
    shutdown,
    cluster,
    pod,
    metrics,
    labels,
    controllerMetrics: createControllerMetrics(metrics, labels, version, flags['ingress-class']),
    events: createEventWriter(cluster, pod.name, log),
  }
}

async function watchCluster({ flags, cluster, log, shutdown }: Base): Promise<ClusterState> {
  const state = await createClusterState({
    cluster,
    namespace: flags['watch-namespace'] || undefined,
    watchesNamespaces: flags['watch-namespace-selector'] !== '',
    resyncPeriodMs: flags['sync-period'],
    onError: (error) => log.warn('watching the cluster', { error: error.message }),
  })
  shutdown.defer('informers', () => state.close())
  return state
}

function tellReload(
  base: Base,
  { isAccepted, reasons }: { readonly isAccepted: boolean; readonly reasons: readonly string[] },
): void {
  base.controllerMetrics.reloaded(isAccepted, reasons)
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: base.pod }
  const message = isAccepted
    ? `NGINX reload triggered due to a change in configuration: ${reasons.join('; ')}`
    : `Error reloading NGINX: ${reasons.join('; ')}`
  base.events.tell({ object, type: isAccepted ? 'Normal' : 'Warning', reason: 'RELOAD', message })
}

function startStatus(base: Base, synchronizer: Synchronizer): StatusWriter | undefined {
  const { flags, cluster, pod, log, controllerMetrics } = base
  if (!flags['update-status']) return undefined
  return createStatusWriter({
    cluster,
    pod,
    served: () => [...(synchronizer.running?.served.values() ?? [])],
    published: flags['publish-status-address'],
    publishService: flags['publish-service'],
    usesInternalAddresses: flags['report-node-internal-ip-address'],
    intervalMs: Math.max(5, flags['status-update-interval']) * 1000,
    clearsOnShutdown: flags['update-status-on-shutdown'],
    election: flags['disable-leader-election']
      ? undefined
      : { id: flags['election-id'], ttlMs: flags['election-ttl'] > 0 ? flags['election-ttl'] : 30_000 },
    onLeader: (isLeader) => controllerMetrics.isLeader(flags['election-id'], isLeader),
    log,
  })
}

function startAdmission(base: Base, state: ClusterState, options: AdmissionOptions): ReturnType<typeof serveAdmission> {
  const { flags, log, controllerMetrics } = base
  return serveAdmission({
    listen: flags['validating-webhook'],
    certificateFile: flags['validating-webhook-certificate'],
    keyFile: flags['validating-webhook-key'],
    snapshot: state.snapshot,
    settle: state.settle,
    options,
    onAnswer: controllerMetrics.admission,
    log,
  })
}

function clusterOptions(flags: Flags): Parameters<typeof connectCluster>[0] {
  const server = flags['apiserver-host']
  return {
    ...(flags.kubeconfig === '' ? {} : { kubeconfig: flags.kubeconfig }),
    ...(server === '' ? {} : { server }),
    ...(flags['certificate-authority'] === '' ? {} : { tlsFiles: { ca: flags['certificate-authority'] } }),
  }
}

// Beside the bundle, or where the sources are.
function luaFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [join(here, 'lua'), join(here, '../lua'), join(here, '../../../packages/nginx-gen/src/lua')]
  const found = places.find((place) => existsSync(join(place, luaFiles[0] ?? '')))
  if (found === undefined) throw new Error(`expected the Lua files in one of ${places.join(', ')}`)
  return found
}
