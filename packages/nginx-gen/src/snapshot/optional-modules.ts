// Modules of nginx that an image may have or not. What needs one that is not there is reported and has no effect.

/** Modules that settings and annotations name; of the last two Debian's nginx has none that fits. */
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
}

/** An image with nothing but what is always needed. */
export const noOptionalModules: InstalledModules = { brotli: false, modsecurity: undefined }

/** Whether a module is installed. */
export function hasModule(installed: InstalledModules, module: OptionalModule): boolean {
  if (module === 'modsecurity') return installed.modsecurity !== undefined
  return module === 'brotli' && installed.brotli
}
