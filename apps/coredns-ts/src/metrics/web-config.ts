// The file of `prometheus { tls FILE }`: a web configuration of the Prometheus exporter toolkit, its certificate only.

import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { parseYaml } from '@kubewire/kube-model/manifest'

/** PEM texts of the certificate that a file names. Throws with the reason when it names none that can be read. */
export function readWebConfig(path: string): { readonly cert: string; readonly key: string } {
  const parsed = parseYaml(readText(path))
  if ('error' in parsed) throw new Error(`plugin/prometheus: ${path}: ${parsed.error}`)
  const section = fieldOf(parsed.value, 'tls_server_config')
  const [cert, key] = ['cert_file', 'key_file'].map((name) => fieldOf(section, name))
  if (typeof cert !== 'string' || typeof key !== 'string') {
    throw new Error(`plugin/prometheus: ${path}: missing cert_file or key_file in tls_server_config`)
  }
  const clients = fieldOf(section, 'client_auth_type')
  if (clients !== undefined && clients !== 'NoClientCert') {
    throw new Error(`plugin/prometheus: ${path}: client_auth_type ${JSON.stringify(clients)} is not supported`)
  }
  const near = (file: string): string => (isAbsolute(file) ? file : join(dirname(path), file))
  return { cert: readText(near(cert)), key: readText(near(key)) }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`plugin/prometheus: open ${path}: no such file or directory`, { cause })
  }
}
