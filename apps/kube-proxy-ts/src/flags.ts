// kube-proxy's flags: those of the configuration fields, and the few of their own.

import { type FlagTable, parseFlags } from '@kubewire/daemon-kit'
import { type Problem, parseIp } from '@kubewire/kube-model'
import { type Field, type FieldValue, fields } from './config/fields.ts'
import type { GivenValues } from './config/parse.ts'

/** What the command line says. */
export interface ProxyFlags {
  readonly config: string
  readonly writeConfigTo: string
  readonly cleanup: boolean
  readonly initOnly: boolean
  readonly master: string
  readonly version: boolean
  readonly help: boolean
  readonly hostnameOverride: string | undefined
  readonly verbosity: number | undefined
  /** Configuration fields that were given. */
  readonly values: GivenValues
  /** The metrics server is switched off (empty address or port 0). */
  readonly disablesMetrics: boolean
  readonly problems: readonly Problem[]
}

const ownFlags = {
  cleanup: { kind: 'bool', default: false, help: 'If true cleanup iptables and ipvs rules and exit.' },
  config: { kind: 'string', default: '', help: 'The path to the configuration file.' },
  'healthz-port': { kind: 'int', default: 10_256, help: 'Deprecated: use --healthz-bind-address.', isHidden: true },
  'init-only': {
    kind: 'bool',
    default: false,
    help: 'If true, perform any initialization steps that must be done with full root privileges, and then exit.',
  },
  master: {
    kind: 'string',
    default: '',
    help: 'The address of the Kubernetes API server (overrides any value in kubeconfig).',
  },
  'metrics-port': { kind: 'int', default: 10_249, help: 'Deprecated: use --metrics-bind-address.', isHidden: true },
  v: { kind: 'int', default: 0, help: 'number for the log level verbosity', shorthand: 'v' },
  version: { kind: 'bool', default: false, help: 'print version information and quit' },
  vmodule: {
    kind: 'string',
    default: '',
    help: 'comma-separated list of pattern=N settings for file-filtered logging',
  },
  'log-flush-frequency': { kind: 'duration', default: 5000, help: 'Maximum number of seconds between log flushes' },
  'write-config-to': {
    kind: 'string',
    default: '',
    help: 'If set, write the default configuration values to this file and exit.',
  },
} as const satisfies FlagTable

/** All flags, for parsing and the usage text. */
export const flagTable: FlagTable = {
  ...Object.fromEntries(fields.flatMap((field) => (field.flag === undefined ? [] : [[field.flag, flagOf(field)]]))),
  ...ownFlags,
}

function flagOf(field: Field): FlagTable[string] {
  const help = field.help ?? ''
  switch (field.kind) {
    case 'bool':
      return { kind: 'bool', default: field.default === true, help }
    case 'int':
      return { kind: 'int', default: Number(field.default), help }
    case 'float':
      return { kind: 'float', default: Number(field.default), help }
    case 'duration':
      return { kind: 'duration', default: Number(field.default), help }
    case 'strings':
      return { kind: 'list', default: [], help }
    case 'gates':
      return { kind: 'map', default: {}, help }
    default:
      return { kind: 'string', default: String(field.default ?? ''), help }
  }
}

/** Reads a command line. */
export function readFlags(argv: readonly string[]): ProxyFlags {
  const parsed = parseFlags(flagTable, argv, { dialect: 'pflag', hasWordSeparators: true })
  const given = (name: string): unknown => (parsed.given.has(name) ? parsed.values[name] : undefined)
  const values = new Map<string, FieldValue>()
  const problems = [...parsed.problems]
  for (const field of fields) {
    const value = field.flag === undefined ? undefined : given(field.flag)
    if (value === undefined) continue
    values.set(
      field.path,
      field.kind === 'gates' ? gatesOf(value as Readonly<Record<string, string>>) : (value as FieldValue),
    )
  }
  const bind = String(values.get('bindAddress') ?? '0.0.0.0')
  setDeprecatedPort(values, 'healthzBindAddress', given('healthz-port'), bind.includes(':') ? '[::]' : '0.0.0.0')
  setDeprecatedPort(values, 'metricsBindAddress', given('metrics-port'), bind.includes(':') ? '[::1]' : '127.0.0.1')
  const metrics = values.get('metricsBindAddress')
  const hostname = given('hostname-override')
  if (typeof hostname === 'string' && hostname.trim() === '' && hostname !== '')
    problems.push({
      code: 'IPT_CONFIG_VALUE',
      severity: 'error',
      object: { kind: 'Flag', name: 'hostname-override' },
      path: '',
      message: 'empty hostname-override is invalid',
      fallback: '',
    })
  return {
    config: String(given('config') ?? ''),
    writeConfigTo: String(given('write-config-to') ?? ''),
    cleanup: given('cleanup') === true,
    initOnly: given('init-only') === true,
    master: String(given('master') ?? ''),
    version: given('version') === true,
    help: parsed.isHelp,
    hostnameOverride: typeof hostname === 'string' ? hostname : undefined,
    verbosity: given('v') as number | undefined,
    values,
    disablesMetrics:
      metrics === '' || (typeof metrics === 'string' && /:0$/.test(metrics) && parseIp(metrics) === undefined),
    problems,
  }
}

function setDeprecatedPort(values: Map<string, FieldValue>, path: string, port: unknown, host: string): void {
  if (typeof port === 'number' && !values.has(path)) values.set(path, `${host}:${port}`)
}

function gatesOf(map: Readonly<Record<string, string>>): { readonly [name: string]: boolean } {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, value === 'true']))
}
