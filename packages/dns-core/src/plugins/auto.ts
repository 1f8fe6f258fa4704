// Zone files found in a directory: every file whose name fits a pattern is a zone (CoreDNS plugin/auto).

import type { DirectiveToken } from '../corefile/directive.ts'
import { parseZones } from '../corefile/zones.ts'
import { isUnder, type Name } from '../name.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { compileGoRegexp, countGroups } from './go-regexp.ts'
import { fillGroups } from './rewrite-rules.ts'
import { loadZone, reloadInterval, type ServedZone, servedZone, serveZones } from './served-zones.ts'
import { pathAtRoot, zonesOrBlock } from './zone-arguments.ts'

interface AutoConfig {
  readonly zones: readonly Name[]
  readonly directory: string
  readonly pattern: RegExp
  /** Name of the zone, `{1}` for the first group of the pattern. */
  readonly template: string
  readonly reloadMs: number
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
    reload: { min: 0, max: 99, syntax: 'DURATION', summary: 'How often the directory is looked at, default 1m.' },
    upstream: { min: 0, max: 99, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure: configureAuto,
  create: (config, ports) => createAuto(config, ports),
})

function configureAuto(input: ConfigureInput): AutoConfig {
  // COMPAT: of several directives the last one counts, its properties on top of those before it.
  const directive = input.directives[input.directives.length - 1]
  const lines = input.directives.flatMap(({ block = [] }) => block)
  const line = lines.filter(({ name }) => name.text === 'directory').pop()
  const [directory, expression, template] = line?.args ?? []
  if (line?.args.length === 2)
    input.fail(`Wrong argument count or unexpected line ending after '${expression?.text}'`, line.end)
  return {
    zones: zonesOrBlock(input, directive?.args ?? []),
    directory: pathAtRoot(input.block.root, directory?.text ?? ''),
    pattern: expression === undefined ? defaultPattern : patternOf(input, expression),
    template: template?.text ?? defaultTemplate,
    reloadMs: reloadInterval(input, lines, 60_000),
  }
}

function patternOf(input: ConfigureInput, token: DirectiveToken): RegExp {
  const pattern = compileGoRegexp(token.text)
  if ('error' in pattern) {
    input.failPlain(pattern.error)
    return defaultPattern
  }
  if (countGroups(pattern) === 0) input.fail('Need at least one sub expression', token)
  return pattern
}

function createAuto(config: AutoConfig, ports: Ports): Plugin {
  const { directory, reloadMs } = config
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
      const zone = known?.source.path === path ? known : servedZone({ path, reloadMs, reloadsByTime: false })
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
  return { ...serveZones(zones, { fallthrough: [], within: config.zones }), close: () => cancel() }
}

/** The zone of a file; `undefined` when its name does not fit or the zone is not one of ours. */
function zoneNameOf(path: string, { pattern, template, zones }: AutoConfig): Name | undefined {
  const match = pattern.exec(path.slice(path.lastIndexOf('/') + 1))
  if (match === null) return undefined
  const [name] = parseZones(fillGroups(template, match)) ?? []
  return name !== undefined && zones.some((zone) => isUnder(zone, name)) ? name : undefined
}
