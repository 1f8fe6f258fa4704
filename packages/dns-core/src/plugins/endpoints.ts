// Plugins that open something beside the DNS port: health, ready, prometheus, reload and others. Here they only read
// their directive; the shell finds their settings in the plan of the server and opens what they ask for.

import type { Directive } from '../corefile/directive.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import { durationArgument } from './zone-arguments.ts'

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
  configure: (input) => ({
    address: firstArgument(input) ?? ':8080',
    lameduckMs: durationArgument(input, lines(input, 'lameduck')[0]?.args[0]) ?? 0,
  }),
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
      address: firstArgument(input) ?? ':8181',
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
    runtime_metrics: { min: 0, max: 9, syntax: '', summary: 'Accepted; metrics of the Go runtime do not exist here.' },
  },
  configure: (input) => ({ address: firstArgument(input) ?? 'localhost:9153' }),
  create: () => ({ isTransparent: true }),
})

export const reload: PluginDefinition<ReloadConfig> = definePlugin({
  name: 'reload',
  summary: 'Reads the Corefile again when it changed.',
  syntax: '[INTERVAL] [JITTER]',
  args: { min: 0, max: 2 },
  properties: {},
  configure(input) {
    const [interval, jitter] = input.directives[0]?.args ?? []
    const intervalMs = durationArgument(input, interval) ?? 30_000
    const jitterMs = durationArgument(input, jitter) ?? (interval === undefined ? 15_000 : intervalMs / 2)
    if (interval !== undefined && intervalMs < 2000)
      input.fail('interval value must be greater or equal to 2s', interval)
    if (jitter !== undefined && jitterMs > 0 && jitterMs < 1000) {
      input.fail('jitter value must be greater or equal to 1s', jitter)
    }
    return { intervalMs, jitterMs: Math.min(jitterMs, intervalMs / 2) }
  },
  create: () => ({ isTransparent: true }),
})

function firstArgument(input: ConfigureInput): string | undefined {
  return input.directives[0]?.args[0]?.text
}

function lines(input: ConfigureInput, name: string): Directive[] {
  return input.directives.flatMap((directive) => (directive.block ?? []).filter((line) => line.name.text === name))
}
