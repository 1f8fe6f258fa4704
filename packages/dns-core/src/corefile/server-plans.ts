// Parsed Corefile → plans of server blocks: keys normalised, directives checked and read, plugins in running order.

import { nearestWord, type Problem } from '@kubewire/kube-model'
import type { AnyPluginDefinition } from '../plugin.ts'
import { pluginRegistry, unsupportedPlugins } from '../plugins/registry.ts'
import { checkDirectives, hintText } from './check-directives.ts'
import { corefileProblem, pluginProblem } from './corefile-problem.ts'
import type { BlockFacts, BlockKey, CorefileBlock, Directive } from './directive.ts'
import { type Corefile, type CorefileSurroundings, parseCorefile } from './parse.ts'
import { parseBlockKey } from './zones.ts'

/** One plugin of a block with its configuration. */
export interface PlannedPlugin {
  readonly definition: AnyPluginDefinition
  readonly config: unknown
}

/** One server block, ready to be made into a chain. */
export interface ServerPlan {
  readonly facts: BlockFacts
  /** In running order. */
  readonly plugins: readonly PlannedPlugin[]
  /** Addresses of the bind plugin; empty means all. */
  readonly bind: readonly string[]
  /** Keys and words of the block without layout, to notice that a file says something else. */
  readonly source: readonly unknown[]
}

/** Plans and problems; with problems of severity `error` the configuration must not be used. */
export interface ServerPlans {
  readonly value: readonly ServerPlan[]
  readonly problems: readonly Problem[]
}

/** What a plan needs to know beside the text. */
export interface PlanOptions {
  readonly fileName: string
  /** Directory that relative paths start in. */
  readonly root: string
  /** Port of keys without one (`-dns.port`), default 53. */
  readonly defaultPort: number
  readonly surroundings: CorefileSurroundings
}

/**
 * Reads a Corefile into plans. Problems carry the codes `DNS_COREFILE_SYNTAX`, `DNS_UNKNOWN_DIRECTIVE`,
 * `DNS_BLOCK_KEY` and `DNS_PLUGIN_CONFIG`; blocks without problems are planned all the same.
 *
 * @see CoreDNS core/dnsserver/register.go for keys, each plugin's setup.go for messages
 */
export function serverPlans(text: string, options: PlanOptions): ServerPlans {
  const corefile: Corefile = parseCorefile(text, options.fileName, options.surroundings)
  const problems: Problem[] = [...corefile.problems]
  if (problems.length > 0) return { value: [], problems }
  const value = corefile.blocks.map((block) => planBlock(block, options, problems))
  problems.push(...overlapProblems(value))
  return { value, problems }
}

function planBlock(block: CorefileBlock, options: PlanOptions, problems: Problem[]): ServerPlan {
  const keys = block.keys.flatMap((token): BlockKey[] => {
    const parsed = parseBlockKey(token.text, options.defaultPort)
    if ('error' in parsed) {
      problems.push(corefileProblem(parsed.error, token, 'DNS_BLOCK_KEY'))
      return []
    }
    for (const { scheme } of parsed) {
      if (scheme === 'dns' || scheme === 'tls' || scheme === 'https') continue
      problems.push(corefileProblem(`transport '${scheme}://' is known but not supported`, token, 'DNS_BLOCK_KEY'))
    }
    return [...parsed]
  })
  const root = block.directives.find((d) => d.name.text === 'root')?.args[0]?.text
  const facts: BlockFacts = {
    zones: [...new Set(keys.map((key) => key.zone))],
    keys,
    directives: block.directives.map((d) => d.name.text),
    root: root ?? options.root,
    defaultPort: options.defaultPort,
  }
  problems.push(...block.directives.flatMap(unknownDirective))
  const plugins = pluginRegistry.flatMap((definition): PlannedPlugin[] => {
    const directives = block.directives.filter((d) => d.name.text === definition.name)
    if (directives.length === 0) return []
    return [{ definition, config: configure(definition, directives, facts, problems) }]
  })
  const source = [block.keys.map((key) => key.text), block.directives.map(wordsOf)]
  return { facts, plugins, bind: bindOf(plugins), source }
}

function configure(
  definition: AnyPluginDefinition,
  directives: readonly Directive[],
  block: BlockFacts,
  problems: Problem[],
): unknown {
  const found = checkDirectives(definition, directives)
  problems.push(...found)
  if (found.length > 0) return undefined
  return definition.configure({
    directives,
    block,
    fail: (text, at) =>
      void problems.push(pluginProblem(definition.name, text, definition.hasPlainProblems === true ? undefined : at)),
    failPlain: (text) => void problems.push(pluginProblem(definition.name, text)),
  })
}

function unknownDirective({ name }: Directive): Problem[] {
  const known = pluginRegistry.map((definition) => definition.name)
  if (known.includes(name.text)) return []
  const text = unsupportedPlugins.includes(name.text)
    ? `plugin '${name.text}' is known but not supported`
    : `Unknown directive '${name.text}'${hintText(nearestWord(name.text, known))}`
  return [corefileProblem(text, name, 'DNS_UNKNOWN_DIRECTIVE')]
}

function wordsOf({ name, args, block }: Directive): unknown {
  return [name.text, args.map((arg) => arg.text), (block ?? []).map(wordsOf)]
}

function bindOf(plugins: readonly PlannedPlugin[]): readonly string[] {
  const config = plugins.find(({ definition }) => definition.name === 'bind')?.config
  return (config as { readonly addresses?: readonly string[] } | undefined)?.addresses ?? []
}

/** The same zone, port and transport twice on overlapping addresses. */
function overlapProblems(plans: readonly ServerPlan[]): Problem[] {
  const seen = new Map<string, readonly string[][]>()
  const problems: Problem[] = []
  for (const plan of plans) {
    const hasView = plan.facts.directives.includes('view')
    const own = new Set<string>()
    for (const { scheme, zone, port } of plan.facts.keys) {
      const key = `${scheme}://${zone}:${port}`
      const others = seen.get(key) ?? []
      const overlaps = others.some(
        (other) => other.length === 0 || plan.bind.length === 0 || other.some((a) => plan.bind.includes(a)),
      )
      if (!hasView && (overlaps || own.has(key))) {
        const object = { kind: 'Corefile', name: key }
        const message = `cannot serve ${key} - it is already defined`
        const fallback = 'the configuration is not used'
        problems.push({ code: 'DNS_BLOCK_KEY', severity: 'error', object, path: '', message, fallback })
      }
      own.add(key)
      // Blocks with a view share their zones with each other and with one block without.
      if (!hasView) seen.set(key, [...others, [...plan.bind]])
    }
  }
  return problems
}
