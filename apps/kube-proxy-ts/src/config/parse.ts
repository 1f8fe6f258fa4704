// Text of a configuration file → values of fields. Unknown and duplicate fields are warnings, as in kube-proxy, which
// falls back to a lenient decoder; a broken text, a wrong kind or a value of a wrong type is an error.

import { type Problem, parseGoDuration, quoteFound } from '@kubewire/kube-model'
import { isMap, isSeq, parseDocument } from 'yaml'
import { type Field, type FieldValue, fieldAt, isSection } from './fields.ts'

/** Values that a file or the command line gives, by field path. */
export type GivenValues = ReadonlyMap<string, FieldValue>

/** What was read. `undefined` when the text cannot be used at all. */
export interface ParsedConfiguration {
  readonly values: GivenValues | undefined
  readonly problems: readonly Problem[]
}

const apiVersion = 'kubeproxy.config.k8s.io/v1alpha1'
const kind = 'KubeProxyConfiguration'

/**
 * Reads a KubeProxyConfiguration.
 *
 * @returns values by path, and problems `IPT_CONFIG_TEXT`, `IPT_CONFIG_KIND`, `IPT_CONFIG_TYPE` (errors),
 * `IPT_CONFIG_FIELD` (warnings)
 */
export function parseConfiguration(text: string, fileName: string): ParsedConfiguration {
  const problems: Problem[] = []
  const add = (code: string, severity: Problem['severity'], path: string, message: string): void => {
    const fallback = severity === 'warning' ? 'it has no effect' : 'the configuration is refused'
    problems.push({ code, severity, object: { kind: 'File', name: fileName }, path, message, fallback })
  }
  const root = readDocument(text, add)
  if (root === undefined || !hasKind(root, text, add)) return { values: undefined, problems }
  const values = new Map<string, FieldValue>()
  readSection(root, '', values, add)
  const isRefused = problems.some((problem) => problem.severity === 'error')
  return { values: isRefused ? undefined : values, problems }
}

type Add = (code: string, severity: Problem['severity'], path: string, message: string) => void

function readDocument(text: string, add: Add): Readonly<Record<string, unknown>> | undefined {
  // YAML 1.1 as in the original's decoder: `yes` and `on` are booleans.
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, prettyErrors: false })
  const fault = document.errors[0]
  if (fault !== undefined) {
    add('IPT_CONFIG_TEXT', 'error', '', `expected YAML or JSON: ${fault.message.split('\n', 1)[0]}`)
    return undefined
  }
  const root = plainValue(document, add)
  if (root === undefined) return undefined
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    add('IPT_CONFIG_TEXT', 'error', '', `expected a mapping, found ${quoteFound(root)}`)
    return undefined
  }
  for (const key of duplicateKeys(document.contents))
    add('IPT_CONFIG_FIELD', 'warning', key, `key ${quoteFound(key)} already set in map`)
  return root as Readonly<Record<string, unknown>>
}

// An alias without its anchor, or aliases that expand without bound, are found only here.
function plainValue(document: { toJS(): unknown }, add: Add): unknown {
  try {
    return document.toJS() ?? null
  } catch (error) {
    add('IPT_CONFIG_TEXT', 'error', '', `expected YAML or JSON: ${(error as Error).message}`)
    return undefined
  }
}

function duplicateKeys(contents: unknown): readonly string[] {
  if (isSeq(contents)) return contents.items.flatMap(duplicateKeys)
  if (!isMap(contents)) return []
  const seen = new Set<string>()
  return contents.items.flatMap(({ key, value }) => {
    const name = String(key)
    const isDuplicate = seen.has(name)
    seen.add(name)
    return [...(isDuplicate ? [name] : []), ...duplicateKeys(value)]
  })
}

function hasKind(root: Readonly<Record<string, unknown>>, text: string, add: Add): boolean {
  if (!root['kind']) add('IPT_CONFIG_KIND', 'error', '', `Object 'Kind' is missing in ${quoteFound(text)}`)
  else if (!root['apiVersion'])
    add('IPT_CONFIG_KIND', 'error', '', `Object 'apiVersion' is missing in ${quoteFound(text)}`)
  else if (root['apiVersion'] !== apiVersion || root['kind'] !== kind)
    add(
      'IPT_CONFIG_KIND',
      'error',
      '',
      `no kind ${quoteFound(root['kind'])} is registered for version ${quoteFound(root['apiVersion'])}`,
    )
  else return true
  return false
}

function readSection(
  section: Readonly<Record<string, unknown>>,
  prefix: string,
  values: Map<string, FieldValue>,
  add: Add,
): void {
  for (const [name, value] of Object.entries(section)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (path === 'apiVersion' || path === 'kind') continue
    const field = fieldAt(path)
    if (field !== undefined) {
      const parsed = value === null ? undefined : readValue(field, value)
      if (parsed !== undefined) values.set(path, parsed)
      else if (value !== null)
        add('IPT_CONFIG_TYPE', 'error', path, `expected ${kindWords[field.kind]}, found ${quoteFound(value)}`)
    } else if (isSection(path) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      readSection(value as Readonly<Record<string, unknown>>, path, values, add)
    } else if (isSection(path) && value !== null) {
      add('IPT_CONFIG_TYPE', 'error', path, `expected a mapping, found ${quoteFound(value)}`)
    } else if (!isSection(path)) {
      add('IPT_CONFIG_FIELD', 'warning', path, `unknown field ${quoteFound(path)}`)
    }
  }
}

const kindWords: { readonly [kind in Field['kind']]: string } = {
  string: 'a string',
  bool: 'true or false',
  int: 'an integer',
  float: 'a number',
  duration: 'a duration such as 30s',
  strings: 'a list of strings',
  gates: 'a mapping of names to true or false',
  any: 'a value',
}

function readValue(field: Field, value: unknown): FieldValue | undefined {
  switch (field.kind) {
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'int':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
    case 'float':
      return typeof value === 'number' ? value : undefined
    case 'duration':
      return typeof value === 'string' ? parseGoDuration(value) : undefined
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? (value as readonly string[])
        : undefined
    case 'gates': {
      const areGates =
        typeof value === 'object' && value !== null && Object.values(value).every((gate) => typeof gate === 'boolean')
      return areGates ? (value as { readonly [name: string]: boolean }) : undefined
    }
    case 'any':
      return value as FieldValue
  }
}
