// kube-proxy's flags: those of the configuration fields, and the few of their own.

import { type FlagTable, parseFlags } from '@kubewire/daemon-kit'
import { type Problem, parseIpSloppy } from '@kubewire/kube-model'
import { unknownGates } from './config/feature-gates.ts'
import { type Field, type FieldValue, fields } from './config/fields.ts'
import type { GivenValues } from './config/parse.ts'
import { flagTexts } from './health/flag-texts.ts'

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
  /** Deprecated: the port for an address that has none; 0 empties the address. */
  readonly healthzPort: number
  readonly metricsPort: number
  /** What else was said about logging, as the file format has it. */
  readonly logging: GivenValues
  /** Every flag as `/flagz` shows it. */
  readonly texts: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

const unbuffered = '[Alpha] Accepted; log lines are written at once and to one stream.'

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
  'log-json-info-buffer-size': { kind: 'string', default: '0', help: unbuffered },
  'log-json-split-stream': { kind: 'bool', default: false, help: unbuffered },
  'log-text-info-buffer-size': { kind: 'string', default: '0', help: unbuffered },
  'log-text-split-stream': { kind: 'bool', default: false, help: unbuffered },
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
  const { help = '', flagDefault: initial = field.default } = field
  switch (field.kind) {
    case 'bool':
      return { kind: 'bool', default: initial === true, help }
    case 'int':
      return { kind: 'int', default: Number(initial), help }
    case 'float':
      return { kind: 'float', default: Number(initial), help }
    case 'duration':
      return { kind: 'duration', default: Number(initial), help }
    case 'strings':
      return { kind: 'list', default: [], help }
    case 'gates':
      return { kind: 'map', default: {}, help }
    default:
      return { kind: 'string', default: String(initial ?? ''), help }
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
  problems.push(...valueProblems(given))
  const hostname = given('hostname-override')
  if (typeof hostname === 'string' && hostname.trim() === '' && hostname !== '')
    problems.push(flagProblem('hostname-override', 'empty hostname-override is invalid'))
  for (const name of unknownGates((values.get('featureGates') ?? {}) as Readonly<Record<string, unknown>>))
    problems.push(flagProblem('feature-gates', `unrecognized feature gate: ${name}`))
  if (parsed.args.some((argument) => argument !== ''))
    problems.push(flagProblem('', `"kube-proxy" does not take any arguments, got ${JSON.stringify(parsed.args)}`))
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
    healthzPort: Number(given('healthz-port') ?? 10_256),
    metricsPort: Number(given('metrics-port') ?? 10_249),
    logging: loggingOf(given),
    texts: new Map([...flagTexts(flagTable, parsed.values), ['help', String(parsed.isHelp)]]),
    problems,
  }
}

// What the table of flags cannot say of a value.
function valueProblems(given: (name: string) => unknown): readonly Problem[] {
  const refuse = (flag: string, value: string, why: string): Problem =>
    flagProblem(flag, `invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${why}`)
  const bindAddress = String(given('bind-address') ?? '')
  const gates = Object.entries((given('feature-gates') ?? {}) as Readonly<Record<string, string>>)
  return [
    ...(bindAddress === '' || parseIpSloppy(bindAddress) !== undefined
      ? []
      : [refuse('bind-address', bindAddress, `${JSON.stringify(bindAddress)} is not a valid IP address`)]),
    ...gates
      .filter(([, value]) => parseGoBool(value) === undefined)
      .map(([name, value]) => {
        const why = `err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`
        return refuse('feature-gates', `${name}=${value}`, `invalid value of ${name}: ${value}, ${why}`)
      }),
    ...vmodulePatterns(given)
      .filter((pattern) => !/^[^=]+=[0-9]+$/.test(pattern))
      .map((pattern) => refuse('vmodule', pattern, `${JSON.stringify(pattern)} does not have the pattern=N format`)),
  ]
}

function vmodulePatterns(given: (name: string) => unknown): readonly string[] {
  const text = given('vmodule')
  return typeof text === 'string' && text !== '' ? text.split(',') : []
}

/** Go's `strconv.ParseBool`. */
function parseGoBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined
}

function flagProblem(name: string, message: string): Problem {
  return {
    code: 'IPT_CONFIG_VALUE',
    severity: 'error',
    object: { kind: 'Flag', name },
    path: '',
    message,
    fallback: '',
  }
}

function loggingOf(given: (name: string) => unknown): GivenValues {
  const values = new Map<string, FieldValue>()
  const [verbosity, flush] = [given('v'), given('log-flush-frequency')]
  const format = given('logging-format')
  if (typeof format === 'string') values.set('logging.format', format)
  if (typeof verbosity === 'number') values.set('logging.verbosity', verbosity)
  if (typeof flush === 'number') values.set('logging.flushFrequency', flush)
  const patterns = vmodulePatterns(given)
  if (patterns.length > 0)
    values.set(
      'logging.vmodule',
      patterns.map((pattern) => {
        const [filePattern = '', level = '0'] = pattern.split('=')
        return { filePattern, verbosity: Number(level) }
      }) as unknown as FieldValue,
    )
  return values
}

function gatesOf(map: Readonly<Record<string, string>>): { readonly [name: string]: boolean } {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, parseGoBool(value) === true]))
}
