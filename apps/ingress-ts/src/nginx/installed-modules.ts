// Which optional modules of nginx are installed, and the rules that ModSecurity starts from: those of an ingress-nginx
// image where they are there, those of Debian's packages else.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InstalledModules } from '@kubewire/nginx-gen'

const ruleFiles = ['/etc/nginx/modsecurity/modsecurity.conf', '/etc/nginx/modsecurity.conf']
const coreRuleFiles = [
  '/etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf',
  '/usr/share/modsecurity-crs/owasp-crs.load',
]

/**
 * Looks for them.
 *
 * @param exists - asked for absolute paths
 */
export function installedModules(modulesDir: string, exists: (path: string) => boolean = existsSync): InstalledModules {
  const has = (name: string): boolean => exists(join(modulesDir, `ngx_http_${name}_module.so`))
  const rules = has('modsecurity') ? ruleFiles.find(exists) : undefined
  return {
    brotli: has('brotli_filter'),
    modsecurity: rules === undefined ? undefined : { rules, coreRules: coreRuleFiles.find(exists) },
  }
}
