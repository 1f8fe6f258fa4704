// A scenario file → its area and its data, or what is wrong with it, with the line. A misspelt key is an error: it would
// be a question that nobody asks.

import { basename, dirname } from 'node:path'
import { quoteFound } from '@kubewire/kube-model'
import { type CaseFile, type CaseKeys, type CasePath, printCasePath, unknownKeys } from '@kubewire/kube-model/cases'
import { parseYaml } from '@kubewire/kube-model/manifest'
import { type CaseArea, caseAreas } from './case-areas.ts'

/** A file that can be run, before its manifests are read. */
export interface ReadableCase {
  readonly file: CaseFile
  readonly area: CaseArea
  /** Files and folders whose objects the cluster begins with, as they are written. */
  readonly manifests: readonly string[]
}

/** What is wrong with a file, each with its place. */
export interface CaseFaults {
  readonly faults: readonly string[]
}

/** Reads one file; every fault is found at once. */
export function readCase(path: string, text: string): ReadableCase | CaseFaults {
  const parsed = parseYaml(text)
  if ('error' in parsed) return { faults: [`${path}:${parsed.line}: expected YAML: ${parsed.error}`] }
  const { value, lineOf } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [`${path}:1: expected a mapping of keys`] }
  }
  const { manifests = [], ...data } = value as { readonly [key: string]: unknown }
  const area = caseAreas.find(({ claims }) => claims(withCluster(data)))
  if (area === undefined) return { faults: [`${path}:1: ${whatIsAsked}, found ${keysOf(data)}`] }
  const faults = unknownKeys(data, area.keys).map(
    (unknown) =>
      `${path}:${lineOf(unknown)}: ${printCasePath(unknown)}: expected one of ${knownAt(area.keys, unknown)}, found ${quoteFound(String(unknown.at(-1)))}`,
  )
  if (!Array.isArray(manifests) || manifests.some((one) => typeof one !== 'string')) {
    faults.push(`${path}:${lineOf(['manifests'])}: manifests: expected a list of files and folders`)
  }
  if (faults.length > 0) return { faults }
  const file = { path, suite: dirname(path), name: basename(path).replace(/\.ya?ml$/, ''), data }
  return { file, area, manifests: manifests as readonly string[] }
}

const whatIsAsked =
  'expected queries (dns), config with a nodeName (proxy), or requests and a cluster or manifests (ingress)'

// An Ingress scenario is told by its cluster, which may come from manifests alone.
function withCluster(data: { readonly [key: string]: unknown }): CaseFile['data'] {
  return 'cluster' in data ? data : { ...data, cluster: [] }
}

function keysOf(data: object): string {
  return Object.keys(data).slice(0, 8).join(', ') || 'none'
}

function knownAt(keys: CaseKeys, path: CasePath): string {
  let level = keys
  for (const step of path.slice(0, -1)) {
    if (typeof step === 'string' && level !== 'any') level = level[step] ?? 'any'
  }
  return level === 'any' ? 'any' : Object.keys(level).join(', ')
}
