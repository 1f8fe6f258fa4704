// The wiring, top to bottom: cluster → snapshots → wanted states → nginx, and what stands around it.
// Order of the start and of the end: reference, process and start-up, graceful shutdown.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  connectCluster,
  createMetrics,
  createShutdown,
  createSyncLoop,
  type Log,
  systemClock,
} from '@kubewire/daemon-kit'
import { externalNames, luaFiles } from '@kubewire/nginx-gen'
import type { Flags } from './check-flags.ts'
import { createClusterState } from './cluster-state.ts'
import { configPaths, controllerOptions, requestMetricsOf } from './controller-options.ts'
import { createDataPush } from './data-push.ts'
import { createFakeCertificate } from './fake-certificate.ts'
import { serveHealth } from './health.ts'
import { createControllerMetrics } from './metrics.ts'
import { createNginxFiles } from './nginx-files.ts'
import { registerNginxMetrics } from './nginx-metrics.ts'
import { createNginxProcess } from './nginx-process.ts'
import { createStateRenderer } from './render-state.ts'
import { serveBatches } from './request-metrics.ts'
import { createNameResolver } from './resolve-names.ts'
import { createSynchronizer } from './sync.ts'
import { version } from './version.ts'

/** Runs until a signal ends it. Resolves with the exit status. */
export async function serve(flags: Flags, env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  const shutdown = createShutdown({ log, limitMs: 300_000 })
  const cluster = await connectCluster(clusterOptions(flags))
  shutdown.defer('connection to the cluster', () => cluster.close())
  const pod = { name: env['POD_NAME'] ?? env['HOSTNAME'] ?? 'ingress-ts', namespace: env['POD_NAMESPACE'] ?? 'default' }
  const labels = {
    controller_namespace: pod.namespace,
    controller_class: flags['controller-class'],
    controller_pod: pod.name,
  }
  const metrics = createMetrics()
  const controllerMetrics = createControllerMetrics(metrics, labels, version, flags['ingress-class'])
  const requestMetrics = requestMetricsOf(flags, metrics, labels)
  const files = await createNginxFiles(flags['run-directory'], flags['nginx-user'])
  if (requestMetrics !== undefined) {
    const batches = await serveBatches(files.metricsSocket, requestMetrics, log)
    shutdown.defer('request metrics', () => void batches.close())
  }
  const state = await createClusterState({
    cluster,
    namespace: flags['watch-namespace'] || undefined,
    watchesNamespaces: flags['watch-namespace-selector'] !== '',
    resyncPeriodMs: flags['sync-period'],
    onError: (error) => log.warn('watching the cluster', { error: error.message }),
  })
  shutdown.defer('informers', () => state.close())

  const push = createDataPush(files.controlSocket)
  const nginx = createNginxProcess({
    binary: flags['nginx-binary'],
    runDir: files.runDir,
    log,
    onExit: (status) => {
      log.error('nginx ended, it is started again', { status })
      synchronizer.forgetRunning()
      loop.markDirty()
    },
  })
  registerNginxMetrics(metrics, labels, { status: push.status, masterPid: () => nginx.pid })
  const resolver = createNameResolver(() => loop.markDirty())
  shutdown.defer('name resolver', () => resolver.close())
  const renderer = createStateRenderer({
    options: controllerOptions(flags, state.hasIngressClasses, undefined),
    paths: configPaths(flags, files, luaFolder()),
    filesDir: files.filesDir,
    fallbackCertificate: await createFakeCertificate(),
    resolve: resolver.resolve,
  })
  const progress = {
    syncs: 0,
    reloads: 0,
    versions: {} as { readonly [plural: string]: string },
    reasons: [] as readonly string[],
  }
  const synchronizer = createSynchronizer({
    renderer,
    files,
    nginx,
    push,
    log,
    reloadsPerSecond: flags['sync-rate-limit'],
    pushRetries: flags['dynamic-configuration-retries'],
    onReload: ({ isAccepted, reasons }) => {
      controllerMetrics.reloaded(isAccepted)
      if (isAccepted) Object.assign(progress, { reloads: progress.reloads + 1, reasons })
    },
    onQuarantine: () => {},
  })
  let waiting: NodeJS.Timeout | undefined
  const loop = createSyncLoop({
    minIntervalMs: 50,
    snapshot: () => ({ snapshot: state.snapshot(), versions: state.seenVersions() }),
    plan: (taken) => taken,
    apply: async ({ snapshot, versions }) => {
      const waitMs = await synchronizer.sync(snapshot)
      clearTimeout(waiting)
      if (waitMs !== undefined) {
        waiting = setTimeout(() => loop.markDirty(), waitMs)
        return
      }
      Object.assign(progress, { syncs: progress.syncs + 1, versions })
      afterSync()
    },
    onFailure: (error, failures) =>
      log.error('sync failed', { error: error instanceof Error ? error.message : String(error), failures }),
  })
  const afterSync = (): void => {
    const running = synchronizer.running
    if (running === undefined) return
    void resolver.follow(externalNames(running.model)).then((isNew) => {
      if (isNew) loop.markDirty()
    })
    const hosts = new Set(running.model.servers.flatMap((server) => [server.host, ...server.aliases]))
    requestMetrics?.setKnown(hosts, new Set(running.served.keys()))
  }

  let isShuttingDown = false
  const endpoints = await serveHealth({
    address: flags['healthz-host'],
    port: flags['healthz-port'],
    healthPath: flags['health-check-path'],
    metrics,
    nginx,
    push,
    isShuttingDown: () => isShuttingDown,
    progress: () => ({ ...progress, pid: nginx.pid, quarantined: [...synchronizer.quarantined.keys()] }),
    log,
  })
  shutdown.defer('health endpoint', () => endpoints.close())
  shutdown.defer('nginx', () => nginx.quit(240_000))
  shutdown.defer('sync loop', () => loop.close())
  shutdown.defer('grace period', async () => {
    isShuttingDown = true
    await systemClock.sleep(flags['shutdown-grace-period'] * 1000)
  })
  log.info('waiting for the first state of the cluster')
  await Promise.race([state.synced(), shutdown.done])
  const changes = state.changes$.subscribe(() => loop.markDirty())
  shutdown.defer('changes', () => changes.unsubscribe())
  loop.markDirty()
  await shutdown.done
  await systemClock.sleep(flags['post-shutdown-grace-period'] * 1000)
  return 0
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
