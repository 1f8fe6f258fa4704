// Which optional modules of nginx are installed, the rules that ModSecurity starts from (those of an ingress-nginx image
// where they are there, those of Debian's packages else), and the databases of addresses.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InstalledModules } from '@kubewire/nginx-gen'

const ruleFiles = ['/etc/nginx/modsecurity/modsecurity.conf', '/etc/nginx/modsecurity.conf']
const coreRuleFiles = [
  '/etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf',
  '/usr/share/modsecurity-crs/owasp-crs.load',
]

/** Where an ingress-nginx image keeps MaxMind's databases. */
export const geoip2Folder = '/etc/ingress-controller/geoip'

/**
 * Looks for them.
 *
 * @param editions - databases of `--maxmind-edition-ids`; COMPAT: all or none (maxmind.go GeoLite2DBExists)
 * @param exists - asked for absolute paths
 */
export function installedModules(
  modulesDir: string,
  editions: readonly string[],
  exists: (path: string) => boolean = existsSync,
): InstalledModules {
  const has = (name: string): boolean => exists(join(modulesDir, `ngx_http_${name}_module.so`))
  const rules = has('modsecurity') ? ruleFiles.find(exists) : undefined
  const databases = editions.map((edition) => join(geoip2Folder, `${edition}.mmdb`))
  const hasDatabases = databases.length > 0 && databases.every(exists)
  return {
    brotli: has('brotli_filter'),
    modsecurity: rules === undefined ? undefined : { rules, coreRules: coreRuleFiles.find(exists) },
    geoip2: has('geoip2') && hasDatabases ? databases : undefined,
  }
}
