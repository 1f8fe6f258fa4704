// Zone files found in a directory: every file whose name fits a pattern is a zone (CoreDNS plugin/auto).

import type { Directive } from '../corefile/directive.ts'
import { parseZones } from '../corefile/zones.ts'
import { isUnder, type Name } from '../name.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { compileGoRegexp } from './go-regexp.ts'
import { fillGroups } from './rewrite-rules.ts'
import { loadZone, type ServedZone, servedZone, serveZones } from './served-zones.ts'
import { durationArgument, fallthroughZones, zonesOrBlock } from './zone-arguments.ts'

interface AutoConfig {
  readonly zones: readonly Name[]
  readonly directory: string
  readonly pattern: RegExp
  /** Name of the zone, `{1}` for the first group of the pattern. */
  readonly template: string
  readonly reloadMs: number
  readonly fallthrough: readonly Name[]
}

const defaultPattern = /db\.(.*)/
const defaultTemplate = '{1}'

export const auto: PluginDefinition<AutoConfig> = definePlugin({
  name: 'auto',
  summary: 'Answers names from the zone files of a directory.',
  syntax: '[ZONES...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {
    directory: { min: 1, max: 3, syntax: 'DIR [REGEXP ORIGIN_TEMPLATE]', summary: 'Where the zone files are.' },
    reload: { min: 1, max: 1, syntax: 'DURATION', summary: 'How often the directory is looked at, default 1m.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
    upstream: { min: 0, max: 99, syntax: '', summary: 'Accepted and ignored.' },
  },
  isOnce: true,
  configure: configureAuto,
  create: (config, ports) => createAuto(config, ports),
})

function configureAuto(input: ConfigureInput): AutoConfig {
  const [directive] = input.directives
  const lines = (name: string): Directive[] => (directive?.block ?? []).filter((line) => line.name.text === name)
  const line = lines('directory').pop()
  const [directory, expression, template] = line?.args ?? []
  if (line?.args.length === 2)
    input.fail(`Wrong argument count or unexpected line ending after '${expression?.text}'`, line.end)
  const pattern = expression === undefined ? defaultPattern : compileGoRegexp(expression.text)
  if (pattern === undefined && expression !== undefined) {
    input.fail(`error parsing regexp: ${JSON.stringify(expression.text)}`, expression)
  }
  const path = directory?.text ?? ''
  return {
    zones: zonesOrBlock(input, directive?.args ?? []),
    directory: path.startsWith('/') ? path : `${input.block.root}/${path}`,
    pattern: pattern ?? defaultPattern,
    template: template?.text ?? defaultTemplate,
    reloadMs: durationArgument(input, lines('reload').pop()?.args[0]) ?? 60_000,
    fallthrough: lines('fallthrough').flatMap((fallthrough) => fallthroughZones(input, fallthrough)),
  }
}

function createAuto(config: AutoConfig, ports: Ports): Plugin {
  const { directory, reloadMs, fallthrough } = config
  const zones = new Map<Name, ServedZone>()
  let cancel = (): void => {}
  const scan = (): void => {
    const found = new Map<Name, string>()
    for (const fileName of [...ports.listDirectory(directory)].sort()) {
      const name = zoneNameOf(fileName, config)
      if (name !== undefined && !found.has(name)) found.set(name, `${directory}/${fileName}`)
    }
    for (const name of [...zones.keys()]) {
      if (found.has(name)) continue
      zones.delete(name)
      ports.log('info', `plugin/auto: Deleting zone \`${name}'`)
    }
    for (const [name, path] of found) {
      const known = zones.get(name)
      const zone = known?.source.path === path ? known : servedZone({ path, reloadMs, fallthrough })
      const error = loadZone(name, zone, ports)
      if (error !== undefined) ports.log('warning', `plugin/auto: Parse zone \`${name}': ${error}`)
      // A file that never was a zone is no zone; one that was stays as it was.
      if (zone.data === undefined || known === zone) continue
      zones.set(name, zone)
      ports.log('info', `plugin/auto: Inserting zone \`${name}' from: ${path}`)
    }
    if (reloadMs > 0) cancel = ports.schedule(reloadMs, scan)
  }
  scan()
  return { ...serveZones(zones), close: () => cancel() }
}

/** The zone of a file; `undefined` when its name does not fit or the zone is not one of ours. */
function zoneNameOf(fileName: string, { pattern, template, zones }: AutoConfig): Name | undefined {
  const match = pattern.exec(fileName)
  if (match === null) return undefined
  const [name] = parseZones(fillGroups(template, match)) ?? []
  return name !== undefined && zones.some((zone) => isUnder(zone, name)) ? name : undefined
}
