// Where the files stand that the configuration names. The daemon decides; the defaults suit Debian's package.

/** Paths of files and sockets; all absolute. */
export interface ConfigPaths {
  /** Folder of `Model.files`. */
  readonly filesDir: string
  readonly luaDir: string
  readonly modulesDir: string
  readonly mimeTypes: string
  readonly pidFile: string
  /** Socket of the control server; its folder is closed to everybody else. */
  readonly controlSocket: string
  /** PEM file with the default certificate and its key. */
  readonly defaultCertificate: string
  /** Folder for bodies, answers and cached authentication answers. */
  readonly tempDir: string
  /** Folder of the sockets between stream servers (SSL passthrough). */
  readonly streamDir: string
  /** Logs, where the settings do not say otherwise. */
  readonly accessLog: string | undefined
  readonly errorLog: string | undefined
  /** User that workers run as; `undefined` keeps that of the master. */
  readonly user: string | undefined
  /** Addresses of resolvers, for names in auth-url and mirror-target. */
  readonly resolvers: readonly string[]
  /** Most requests of a worker and second that metrics count; 0 is off. */
  readonly maxMetricsBatch: number
}

/** What `kubewire ingress render` uses. */
export const defaultConfigPaths: ConfigPaths = {
  filesDir: '/etc/ingress-controller/files',
  luaDir: '/etc/ingress-controller/lua',
  modulesDir: '/usr/lib/nginx/modules',
  mimeTypes: '/etc/nginx/mime.types',
  pidFile: '/run/nginx.pid',
  controlSocket: '/run/ingress-controller/control/ctl.sock',
  defaultCertificate: '/etc/ingress-controller/ssl/default.pem',
  tempDir: '/tmp/nginx',
  streamDir: '/run/ingress-controller/stream',
  accessLog: undefined,
  errorLog: undefined,
  user: undefined,
  resolvers: [],
  maxMetricsBatch: 10000,
}
