// Modules of nginx that an image may have or not. What needs one that is not there is reported and has no effect.

/** Modules that settings and annotations name; of the last Debian's nginx has none that fits. */
export type OptionalModule = 'brotli' | 'modsecurity' | 'geoip2' | 'opentelemetry'

/** Files of rules that ModSecurity starts from. */
export interface ModsecurityFiles {
  readonly rules: string
  /** The OWASP core rule set; `undefined` where it is not installed. */
  readonly coreRules: string | undefined
}

/** What is installed. */
export interface InstalledModules {
  readonly brotli: boolean
  readonly modsecurity: ModsecurityFiles | undefined
  /** Paths of MaxMind's databases; `undefined` where the module or one of them is not there. */
  readonly geoip2: readonly string[] | undefined
}

/** An image with nothing but what is always needed. */
export const noOptionalModules: InstalledModules = { brotli: false, modsecurity: undefined, geoip2: undefined }

/** Whether a module is installed. */
export function hasModule(installed: InstalledModules, module: OptionalModule): boolean {
  if (module === 'modsecurity') return installed.modsecurity !== undefined
  if (module === 'geoip2') return installed.geoip2 !== undefined
  return module === 'brotli' && installed.brotli
}

/** What there must be, in words. */
export const whatIsNeeded: { readonly [M in OptionalModule]: string } = {
  brotli: 'the nginx module this needs is not available (libnginx-mod-http-brotli-filter)',
  modsecurity: 'the nginx module this needs is not available (libnginx-mod-http-modsecurity)',
  geoip2:
    'the nginx module this needs (libnginx-mod-http-geoip2) or a database of --maxmind-edition-ids is not available',
  opentelemetry: 'the nginx module this needs is not available',
}
