// Answers from zone files that the Corefile names.

import type { Name } from '../name.ts'
import { drop } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { opcode } from '../record-types.ts'
import { loadZone, reloadInterval, type ServedZone, servedZone, serveZones, type ZoneSource } from './served-zones.ts'
import { fallthroughZones, pathAtRoot, zonesOrBlock } from './zone-arguments.ts'

/** All file directives of a block. */
export interface FileConfig {
  readonly sources: readonly (ZoneSource & { readonly zones: readonly Name[] })[]
  readonly fallthrough: readonly Name[]
}

const defaultReloadMs = 60_000

export const file: PluginDefinition<FileConfig> = definePlugin({
  name: 'file',
  summary: 'Answers names from RFC 1035 zone files.',
  syntax: 'FILE [ZONES...]',
  args: { min: 1, max: Number.POSITIVE_INFINITY },
  properties: {
    reload: { min: 0, max: 99, syntax: 'DURATION', summary: 'How often the file is looked at, default 1m; 0 never.' },
    reload_by_mtime: { min: 0, max: 99, syntax: '', summary: 'A newer file counts also with an unchanged SOA serial.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
    upstream: { min: 0, max: 99, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure: configureFile,
  create: (config, ports) => createFile(config, ports),
})

function configureFile(input: ConfigureInput): FileConfig {
  // COMPAT: interval and fallthrough of a directive hold for later ones, fallthrough for earlier ones, too.
  let reloadMs = defaultReloadMs
  let reloadsByTime = false
  let fallthrough: readonly Name[] = []
  const sources = input.directives.map(({ args, block = [] }) => {
    const [path, ...zones] = args
    reloadMs = reloadInterval(input, block, reloadMs)
    reloadsByTime ||= block.some(({ name }) => name.text === 'reload_by_mtime')
    for (const line of block) if (line.name.text === 'fallthrough') fallthrough = fallthroughZones(input, line)
    const source = { path: pathAtRoot(input.block.root, path?.text ?? ''), reloadMs, reloadsByTime }
    return { ...source, zones: zonesOrBlock(input, zones) }
  })
  return { sources, fallthrough }
}

function createFile({ sources, fallthrough }: FileConfig, ports: Ports): Plugin {
  const zones = new Map<Name, ServedZone>()
  for (const source of sources) {
    for (const zone of source.zones) zones.set(zone, servedZone(source))
  }
  const load = (): (string | undefined)[] => [...zones].map(([name, zone]) => loadZone(name, zone, ports))
  const startError = load().find((error) => error !== undefined)
  const reloadMs = Math.min(...sources.map((source) => source.reloadMs).filter((ms) => ms > 0))
  let cancel = (): void => {}
  const poll = (): void => {
    for (const error of load()) if (error !== undefined) ports.log('error', `plugin/file: ${error}`)
    cancel = ports.schedule(reloadMs, poll)
  }
  if (Number.isFinite(reloadMs)) cancel = ports.schedule(reloadMs, poll)
  const served = serveZones(zones, { fallthrough })
  return {
    ...served,
    handle(query, context) {
      const outcome = served.handle?.(query, context)
      // Notifications are for secondary zones, which we do not have; the original sends no reply either.
      const isNotify = query.opcode === opcode.NOTIFY && outcome !== undefined && 'kind' in outcome
      if (isNotify && outcome.kind === 'reply') return drop
      return outcome ?? drop
    },
    startError,
    close: () => cancel(),
  }
}
