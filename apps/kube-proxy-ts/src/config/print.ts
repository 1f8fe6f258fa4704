// A configuration in the file format again: `--write-config-to`, `/configz` and comparisons.

import { printGoDuration } from '@kubewire/kube-model'
import { stringify } from 'yaml'
import type { ProxyConfiguration } from './defaults.ts'
import { type FieldValue, fields } from './fields.ts'

/** All fields as nested plain data, durations as Go prints them. */
export function configurationData(configuration: ProxyConfiguration): { readonly [name: string]: unknown } {
  const root: Record<string, unknown> = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
  }
  for (const field of fields) {
    const value = configuration.values.get(field.path) ?? null
    // Fields that the original leaves out when they are empty.
    if (isOmitted(field.path, value)) continue
    const parts = field.path.split('.')
    let section = root
    for (const part of parts.slice(0, -1)) {
      section[part] ??= {}
      section = section[part] as Record<string, unknown>
    }
    section[parts.at(-1) ?? ''] = field.kind === 'duration' ? printGoDuration(Number(value)) : value
  }
  return root
}

/** The configuration as YAML, keys sorted as the original writes them. */
export function printConfiguration(configuration: ProxyConfiguration): string {
  const text = stringify(configurationData(configuration), {
    sortMapEntries: true,
    indentSeq: false,
    singleQuote: true,
  })
  // Go's printer takes single quotes for characters that mean something, double ones for what would be another type.
  return text.replaceAll(/: '(|[-+]?[0-9][0-9.]*|true|false|yes|no|on|off|null|~)'$/gim, ': "$1"')
}

function isOmitted(path: string, value: FieldValue): boolean {
  if (path === 'featureGates') return Object.keys(value ?? {}).length === 0
  if (path === 'logging.vmodule') return value === null
  return path === 'windowsRunAsService' && value === false
}
