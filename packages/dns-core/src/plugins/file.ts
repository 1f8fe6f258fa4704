// Answers from zone files that the Corefile names.

import type { Name } from '../name.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { loadZone, type ServedZone, servedZone, serveZones } from './served-zones.ts'
import { durationArgument, fallthroughZones, zonesOrBlock } from './zone-arguments.ts'

/** One file directive. */
export interface FileZones {
  readonly path: string
  readonly zones: readonly Name[]
  readonly reloadMs: number
  readonly fallthrough: readonly Name[]
}

export const file: PluginDefinition<readonly FileZones[]> = definePlugin({
  name: 'file',
  summary: 'Answers names from RFC 1035 zone files.',
  syntax: 'FILE [ZONES...]',
  args: { min: 1, max: Number.POSITIVE_INFINITY },
  properties: {
    reload: { min: 1, max: 1, syntax: 'DURATION', summary: 'How often the file is looked at, default 1m; 0 never.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
    upstream: { min: 0, max: 99, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure: (input) => input.directives.map((directive) => configureFile(input, directive)),
  create: (config, ports) => createFile(config, ports),
})

function configureFile(input: ConfigureInput, directive: ConfigureInput['directives'][number]): FileZones {
  const [path, ...zones] = directive.args
  const text = path?.text ?? ''
  const reload = directive.block?.find((line) => line.name.text === 'reload')
  return {
    path: text.startsWith('/') ? text : `${input.block.root}/${text}`,
    zones: zonesOrBlock(input, zones),
    reloadMs: durationArgument(input, reload?.args[0]) ?? 60_000,
    fallthrough: (directive.block ?? [])
      .filter((line) => line.name.text === 'fallthrough')
      .flatMap((line) => fallthroughZones(input, line)),
  }
}

function createFile(configs: readonly FileZones[], ports: Ports): Plugin {
  const zones = new Map<Name, ServedZone>()
  const cancels: (() => void)[] = []
  for (const config of configs) {
    for (const zone of config.zones) zones.set(zone, servedZone(config))
  }
  const load = (): (string | undefined)[] => [...zones].map(([name, zone]) => loadZone(name, zone, ports))
  const startError = load().find((error) => error !== undefined)
  const reloadMs = Math.min(...configs.map((config) => config.reloadMs).filter((ms) => ms > 0))
  const poll = (): void => {
    for (const error of load()) if (error !== undefined) ports.log('error', `plugin/file: ${error}`)
    cancels[0] = ports.schedule(reloadMs, poll)
  }
  if (Number.isFinite(reloadMs)) cancels[0] = ports.schedule(reloadMs, poll)
  return {
    ...serveZones(zones),
    startError,
    close: () => {
      for (const cancel of cancels) cancel()
    },
  }
}
