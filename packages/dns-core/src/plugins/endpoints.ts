// Plugins that open something beside the DNS port: health, ready, prometheus, reload and others. Here they only read
// their directive; the shell finds their settings in the plan of the server and opens what they ask for.

import type { Directive } from '../corefile/directive.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import { durationArgument, durationProblem, pathAtRoot } from './zone-arguments.ts'

/** Settings of the health plugin. */
export interface HealthConfig {
  readonly address: string
  readonly lameduckMs: number
}

/** Settings of the ready plugin. */
export interface ReadyConfig {
  readonly address: string
  readonly monitor: 'until-ready' | 'continuously'
}

/** Settings of the prometheus plugin. */
export interface PrometheusConfig {
  readonly address: string
  /** A file in the format of the Prometheus exporter toolkit (`tls_server_config`). */
  readonly tlsConfig?: string
}

/** Settings of the reload plugin; milliseconds. */
export interface ReloadConfig {
  readonly intervalMs: number
  readonly jitterMs: number
}

export const health: PluginDefinition<HealthConfig> = definePlugin({
  name: 'health',
  summary: 'Serves /health over HTTP.',
  syntax: '[ADDRESS]',
  args: { min: 0, max: 1 },
  properties: { lameduck: { min: 1, max: 1, syntax: 'DURATION', summary: 'Keeps serving this long before shutdown.' } },
  configure: (input) => ({ address: addressOf(input, ':8080'), lameduckMs: lameduckOf(input) }),
  create: () => ({ isTransparent: true }),
})

export const ready: PluginDefinition<ReadyConfig> = definePlugin({
  name: 'ready',
  summary: 'Serves /ready over HTTP.',
  syntax: '[ADDRESS]',
  args: { min: 0, max: 1 },
  isOnce: true,
  properties: {
    monitor: { min: 1, max: 1, syntax: 'until-ready|continuously', summary: 'Whether plugins are asked again.' },
  },
  configure(input) {
    const line = lines(input, 'monitor')[0]
    const monitor = line?.args[0]?.text ?? 'until-ready'
    if (line !== undefined && monitor !== 'until-ready' && monitor !== 'continuously') {
      input.fail(`monitor type '${monitor}' not supported`, line.end)
    }
    return {
      address: addressOf(input, ':8181'),
      monitor: monitor === 'continuously' ? 'continuously' : 'until-ready',
    }
  },
  create: () => ({ isTransparent: true }),
})

export const prometheus: PluginDefinition<PrometheusConfig> = definePlugin({
  name: 'prometheus',
  summary: 'Serves /metrics over HTTP.',
  syntax: '[ADDRESS]',
  args: { min: 0, max: 1 },
  isOnce: true,
  properties: {
    runtime_metrics: { min: 0, max: 0, syntax: '', summary: 'Accepted; metrics of the Go runtime do not exist here.' },
    tls: { min: 1, max: 1, syntax: 'FILE', summary: 'Serves HTTPS as a web configuration file of Prometheus says.' },
  },
  unknownProperty: 'unknown option: %',
  configure(input) {
    const files = lines(input, 'tls')
    if (files[1] !== undefined) input.fail('tls block already specified', files[1].end)
    const file = files[0]?.args[0]?.text
    const address = addressOf(input, 'localhost:9153')
    return file === undefined ? { address } : { address, tlsConfig: pathAtRoot('', file) }
  },
  create: () => ({ isTransparent: true }),
})

export const reload: PluginDefinition<ReloadConfig> = definePlugin({
  name: 'reload',
  summary: 'Reads the Corefile again when it changed.',
  hasPlainProblems: true,
  syntax: '[INTERVAL] [JITTER]',
  args: { min: 0, max: 2 },
  properties: {},
  configure(input) {
    const [interval, jitter] = input.directives[0]?.args ?? []
    const intervalMs = durationArgument(input, interval) ?? 30_000
    const jitterMs = durationArgument(input, jitter) ?? (interval === undefined ? 15_000 : intervalMs / 2)
    if (interval !== undefined && intervalMs < 2000)
      input.fail('interval value must be greater or equal to 2s', interval)
    if (jitter !== undefined && jitterMs !== 0 && jitterMs < 1000) {
      input.fail('jitter value must be 0 or greater or equal to 1s', jitter)
    }
    return { intervalMs, jitterMs: Math.min(jitterMs, intervalMs / 2) }
  },
  create: () => ({ isTransparent: true }),
})

/** `HOST:PORT` of the first argument. */
function addressOf(input: ConfigureInput, otherwise: string): string {
  const text = input.directives[0]?.args[0]?.text
  if (text === undefined) return otherwise
  if (!/:[^:\]]*$/.test(text)) input.failPlain(`address ${text}: missing port in address`)
  else if (/^[^[]*:[^:]*:/.test(text)) input.failPlain(`address ${text}: too many colons in address`)
  return text
}

function lameduckOf(input: ConfigureInput): number {
  const text = lines(input, 'lameduck')[0]?.args[0]?.text
  if (text === undefined) return 0
  const read = durationProblem(text)
  if (typeof read === 'number') return read
  input.failPlain(`unable to parse lameduck duration value: '${text}' : ${read}`)
  return 0
}

function lines(input: ConfigureInput, name: string): Directive[] {
  return input.directives.flatMap((directive) => (directive.block ?? []).filter((line) => line.name.text === name))
}
