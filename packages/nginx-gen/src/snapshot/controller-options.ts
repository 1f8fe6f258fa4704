// What the command line decides about the configuration, with the original's defaults (ingress-nginx 1.15.1, flags).

import { type InstalledModules, noOptionalModules } from './optional-modules.ts'

/** Flags that translate and render read; ports are numbers, references `namespace/name`. */
export interface ControllerOptions {
  readonly ingressClass: string
  readonly controllerClass: string
  readonly watchWithoutClass: boolean
  readonly classByName: boolean
  /** Whether IngressClass objects could be read; if not, `spec.ingressClassName` is ignored. */
  readonly hasIngressClasses: boolean
  readonly watchNamespace: string | undefined
  readonly watchNamespaceSelector: string | undefined
  readonly configMap: string | undefined
  readonly tcpServices: string | undefined
  readonly udpServices: string | undefined
  readonly defaultBackendService: string | undefined
  readonly defaultCertificate: string | undefined
  readonly disableCatchAll: boolean
  readonly disableExternalName: boolean
  readonly annotationsPrefix: string
  readonly validatesAnnotations: boolean
  readonly deepInspect: boolean
  readonly sslPassthrough: boolean
  readonly topologyAwareRouting: boolean
  /** Zone of the controller's node, for topology hints. */
  readonly zone: string | undefined
  readonly httpPort: number
  readonly httpsPort: number
  readonly passthroughProxyPort: number
  readonly defaultServerPort: number
  readonly statusPort: number
  readonly streamPort: number
  readonly healthzPort: number
  readonly profilerPort: number
  readonly healthCheckPath: string
  /** Whether nginx logs errors in all detail whatever `error-log-level` says (`-v 5`). */
  readonly debugLog: boolean
  readonly metrics: boolean
  /** CPUs that the control group grants, for `worker-processes: auto`; `undefined`: nginx counts them itself. */
  readonly cpus: number | undefined
  /** Files that a process may open, for `max-worker-connections: 0`; `undefined`: the default number of connections. */
  readonly openFiles: number | undefined
  /** Modules that are installed beside those that are always needed. */
  readonly modules: InstalledModules
  /** Whether the host has IPv6, so that listeners are made for it. */
  readonly ipv6: boolean
  /** `dynamic`: endpoints and certificates live in Lua; `static`: in the text, no Lua module is needed. */
  readonly balancing: 'dynamic' | 'static'
}

/** The original's defaults. */
export const defaultControllerOptions: ControllerOptions = {
  ingressClass: 'nginx',
  controllerClass: 'k8s.io/ingress-nginx',
  watchWithoutClass: false,
  classByName: false,
  hasIngressClasses: true,
  watchNamespace: undefined,
  watchNamespaceSelector: undefined,
  configMap: undefined,
  tcpServices: undefined,
  udpServices: undefined,
  defaultBackendService: undefined,
  defaultCertificate: undefined,
  disableCatchAll: false,
  disableExternalName: false,
  annotationsPrefix: 'nginx.ingress.kubernetes.io',
  validatesAnnotations: true,
  deepInspect: true,
  sslPassthrough: false,
  topologyAwareRouting: false,
  zone: undefined,
  httpPort: 80,
  httpsPort: 443,
  passthroughProxyPort: 442,
  defaultServerPort: 8181,
  statusPort: 10246,
  streamPort: 10247,
  healthzPort: 10254,
  profilerPort: 10245,
  healthCheckPath: '/healthz',
  debugLog: false,
  metrics: true,
  cpus: undefined,
  openFiles: undefined,
  modules: noOptionalModules,
  ipv6: false,
  balancing: 'dynamic',
}
