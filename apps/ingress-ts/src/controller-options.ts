// Flags → what the library and the parts of this daemon take.

import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Metrics } from '@kubewire/daemon-kit'
import type { ConfigPaths, ControllerOptions } from '@kubewire/nginx-gen'
import { type Flags, maxmindEditions } from './check-flags.ts'
import { resolversOf } from './cluster/resolvers.ts'
import type { ControllerLabels } from './metrics/metrics.ts'
import { createRequestMetrics, type RequestMetrics } from './metrics/request-metrics.ts'
import { grantedCpus } from './nginx/granted-cpus.ts'
import { installedModules } from './nginx/installed-modules.ts'
import type { NginxFiles } from './nginx/nginx-files.ts'

/** Flags that decide about the configuration. */
export function controllerOptions(
  flags: Flags,
  hasIngressClasses: boolean,
  zone: string | undefined,
): ControllerOptions {
  return {
    ingressClass: flags['ingress-class'],
    controllerClass: flags['controller-class'],
    watchWithoutClass: flags['watch-ingress-without-class'],
    classByName: flags['ingress-class-by-name'],
    hasIngressClasses,
    watchNamespace: orUndefined(flags['watch-namespace']),
    watchNamespaceSelector: orUndefined(flags['watch-namespace-selector']),
    configMap: orUndefined(flags.configmap),
    tcpServices: orUndefined(flags['tcp-services-configmap']),
    udpServices: orUndefined(flags['udp-services-configmap']),
    defaultBackendService: orUndefined(flags['default-backend-service']),
    defaultCertificate: orUndefined(flags['default-ssl-certificate']),
    disableCatchAll: flags['disable-catch-all'],
    disableExternalName: flags['disable-svc-external-name'],
    annotationsPrefix: flags['annotations-prefix'],
    validatesAnnotations: flags['enable-annotation-validation'],
    deepInspect: flags['deep-inspect'],
    sslPassthrough: flags['enable-ssl-passthrough'],
    topologyAwareRouting: flags['enable-topology-aware-routing'],
    zone,
    httpPort: flags['http-port'],
    httpsPort: flags['https-port'],
    passthroughProxyPort: flags['ssl-passthrough-proxy-port'],
    defaultServerPort: flags['default-server-port'],
    statusPort: flags['status-port'],
    streamPort: flags['stream-port'],
    healthzPort: flags['healthz-port'],
    profilerPort: flags['profiler-port'],
    healthCheckPath: flags['health-check-path'],
    debugLog: flags.v >= 5,
    metrics: flags['enable-metrics'],
    cpus: grantedCpus(readCpuQuota(), availableParallelism()),
    openFiles: openFilesOf(readText('/proc/self/limits')),
    modules: installedModules(flags['nginx-modules-directory'], maxmindEditions(flags)),
    ipv6: existsSync('/proc/net/if_inet6'),
    balancing: flags.dynamic ? 'dynamic' : 'static',
  }
}

/** Hard limit of open files. */
function openFilesOf(limits: string): number | undefined {
  const [, hard] = /^Max open files +\d+ +(\d+)/m.exec(limits) ?? []
  return hard === undefined ? undefined : Number(hard)
}

/** Quota and period of the control group, as version 2 writes them. */
function readCpuQuota(): string {
  const [quota, period] = ['quota', 'period'].map((name) => readText(`/sys/fs/cgroup/cpu/cpu.cfs_${name}_us`).trim())
  return readText('/sys/fs/cgroup/cpu.max') || `${quota} ${period}`
}

/** Paths of the run directory as the configuration names them. */
export function configPaths(flags: Flags, files: NginxFiles, luaDir: string): Partial<ConfigPaths> {
  return {
    luaDir,
    modulesDir: flags['nginx-modules-directory'],
    pidFile: files.pidFile,
    controlSocket: files.controlSocket,
    tempDir: join(files.runDir, 'temp'),
    streamDir: join(files.runDir, 'control'),
    accessLog: join(files.runDir, 'logs/access.log'),
    errorLog: join(files.runDir, 'logs/error.log'),
    resolvers: resolversOf(readText('/etc/resolv.conf')),
    user: process.getuid?.() === 0 ? flags['nginx-user'] : undefined,
    maxMetricsBatch: flags['enable-metrics'] ? flags['monitor-max-batch-size'] : 0,
  }
}

/** The request metrics of the flags, `undefined` while metrics are off. */
export function requestMetricsOf(flags: Flags, metrics: Metrics, labels: ControllerLabels): RequestMetrics | undefined {
  if (!flags['enable-metrics']) return undefined
  return createRequestMetrics(metrics, {
    labels,
    perHost: flags['metrics-per-host'],
    perUndefinedHost: flags['metrics-per-undefined-host'],
    statusClasses: flags['report-status-classes'],
    excluded: flags['exclude-socket-metrics'],
    timeBuckets: flags['time-buckets'].map(Number),
    lengthBuckets: flags['length-buckets'].map(Number),
    sizeBuckets: flags['size-buckets'].map(Number),
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // no names are looked up then
  }
}

function orUndefined(text: string): string | undefined {
  return text === '' ? undefined : text
}
