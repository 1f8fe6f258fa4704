// Flags and file → one checked configuration. With `--config` the file counts alone, except for the node's name and the
// logging flags. Source: kube-proxy 1.37 cmd/kube-proxy/app/options.go.

import { readFile } from 'node:fs/promises'
import { type Problem, printGoDuration } from '@kubewire/kube-model'
import type { ProxyFlags } from '../flags.ts'
import { checkConfiguration } from './check.ts'
import { type ProxyConfiguration, withDefaults, withPort } from './defaults.ts'
import { unknownGates } from './feature-gates.ts'
import { parseConfiguration } from './parse.ts'

/** A configuration, or why there is none. */
export interface LoadedConfiguration {
  readonly configuration: ProxyConfiguration | undefined
  readonly problems: readonly Problem[]
}

/** Loads and checks; `readText` stands for the file system in tests. */
export async function loadConfiguration(
  flags: ProxyFlags,
  readText: (path: string) => Promise<string> = (path) => readFile(path, 'utf8'),
): Promise<LoadedConfiguration> {
  if (flags.problems.length > 0) return { configuration: undefined, problems: flags.problems }
  if (flags.config === '') return checked(withFlags(withDefaults(flags.values, { isOfFlags: true }), flags), [])
  let text: string
  try {
    text = await readText(flags.config)
  } catch (error) {
    return { configuration: undefined, problems: [unreadable(flags.config, error)] }
  }
  const { values, problems } = parseConfiguration(text, flags.config)
  if (values === undefined) return { configuration: undefined, problems }
  return checked(withFlags(withDefaults(values), flags), problems)
}

// COMPAT: a configuration that is only written down keeps an address without port, and is refused for it.
function withFlags(configuration: ProxyConfiguration, flags: ProxyFlags): ProxyConfiguration {
  const { config, hostnameOverride, logging, writeConfigTo, healthzPort, metricsPort } = flags
  const values = new Map([...configuration.values, ...logging])
  if (hostnameOverride !== undefined && hostnameOverride !== '')
    values.set('hostnameOverride', hostnameOverride.trim().toLowerCase())
  const addresses = { healthzBindAddress: healthzPort, metricsBindAddress: metricsPort } as const
  for (const [path, port] of Object.entries(addresses))
    if (config === '' && writeConfigTo === '')
      values.set(path, port === 0 ? '' : withPort(String(values.get(path) ?? ''), port))
  return {
    ...configuration,
    hostnameOverride: String(values.get('hostnameOverride') ?? '')
      .trim()
      .toLowerCase(),
    verbosity: Number(values.get('logging.verbosity') ?? 0),
    logsJson: values.get('logging.format') === 'json',
    healthzBindAddress: String(values.get('healthzBindAddress')),
    metricsBindAddress: String(values.get('metricsBindAddress')),
    values,
  }
}

function checked(configuration: ProxyConfiguration, before: readonly Problem[]): LoadedConfiguration {
  const gates = unknownGates(configuration.featureGates).map(unknownGate)
  const faults = [...gates, ...checkConfiguration(configuration), ...loggingFaults(configuration)]
  const problems = [...before, ...faults, ...gatesWithoutEffect(configuration)]
  return faults.length > 0 ? { configuration: undefined, problems } : { configuration, problems }
}

// A gate that is off by default and whose feature is not built here: whoever switches it on has to know.
function gatesWithoutEffect({ featureGates, mode }: ProxyConfiguration): readonly Problem[] {
  const name = 'KubeProxyNFTablesLocalhostNodePorts'
  if (featureGates[name] !== true || mode !== 'nftables') return []
  const message = `${name} is not offered here`
  return [{ ...unknownGate(name), severity: 'warning', message, fallback: 'node ports do not answer on loopback' }]
}

function unknownGate(name: string): Problem {
  return {
    code: 'IPT_CONFIG_VALUE',
    severity: 'error',
    object: { kind: 'File', name: 'KubeProxyConfiguration' },
    path: 'featureGates',
    message: `unrecognized feature gate: ${name}`,
    fallback: '',
  }
}

function loggingFaults({ values }: ProxyConfiguration): readonly Problem[] {
  const format = values.get('logging.format') ?? 'text'
  const flushMs = Number(values.get('logging.flushFrequency') ?? 5000)
  return [
    ...(format === 'text' || format === 'json'
      ? []
      : [loggingFault('format', JSON.stringify(format), 'Unsupported log format')]),
    ...(flushMs > 0
      ? []
      : [loggingFault('flushFrequency', JSON.stringify(printGoDuration(flushMs)), 'Must be greater than zero')]),
  ]
}

function loggingFault(name: string, value: string, reason: string): Problem {
  return {
    code: 'IPT_CONFIG_VALUE',
    severity: 'error',
    object: { kind: 'File', name: 'KubeProxyConfiguration' },
    path: `logging.${name}`,
    message: `Invalid value: ${value}: ${reason}`,
    fallback: '',
  }
}

function unreadable(path: string, error: unknown): Problem {
  const message = `expected a readable file: ${error instanceof Error ? error.message : String(error)}`
  return {
    code: 'IPT_CONFIG_TEXT',
    severity: 'error',
    object: { kind: 'File', name: path },
    path: '',
    message,
    fallback: '',
  }
}
