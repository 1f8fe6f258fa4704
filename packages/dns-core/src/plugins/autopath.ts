// Walks the search path of a pod on its behalf, so that it gets its answer to the first question.

import { foldName, isUnder, joinName, longestZone, type Name } from '../name.ts'
import { type Eventually, failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { type Context, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import { nameRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { zonesOrBlock } from './zone-arguments.ts'

interface AutopathConfig {
  readonly zones: readonly Name[]
  /** `@kubernetes` names the plugin that knows the path; otherwise a resolv.conf. */
  readonly plugin?: string
  readonly path?: string
}

export const autopath: PluginDefinition<AutopathConfig> = definePlugin({
  name: 'autopath',
  summary: 'Walks the search path of the client in the server.',
  syntax: '[ZONES...] RESOLV-CONF|@PLUGIN',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {},
  configure(input) {
    const [directive] = input.directives
    const args = directive?.args ?? []
    if (args.length === 0) input.failPlain('no resolv-conf specified')
    const source = args[args.length - 1]?.text ?? ''
    const zones = zonesOrBlock(input, args.slice(0, -1))
    return source.startsWith('@') ? { zones, plugin: source.slice(1) } : { zones, path: source }
  },
  create: createAutopath,
})

function createAutopath(config: AutopathConfig, ports: Ports): Plugin {
  const text = config.path === undefined ? '' : ports.readFile(config.path)
  const fixed = searchOf(text ?? '')
  const { path } = config
  const startError =
    text === undefined ? `failed to parse "${path}": open ${path}: no such file or directory` : undefined
  let pathOf = (_query: Query): readonly Name[] => fixed
  return {
    startError,
    join(plugins) {
      const source = plugins.find(({ name }) => name === config.plugin)?.plugin
      if (source?.searchPath !== undefined) pathOf = (query) => source.searchPath?.(query) ?? []
    },
    handle(query, context) {
      const name = foldName(query.name)
      if (longestZone(config.zones, name) === undefined) return next
      const path = pathOf(query)
      const [first] = path
      if (first === undefined || !isUnder(first, name)) return next
      // COMPAT: the search entry itself leaves nothing to look up (CoreDNS dnsutil.TrimZone).
      if (first === name) return failed(rcode.SERVFAIL, `trimzone: overshot qname: ${query.name}for zone ${first}`)
      const base = query.name.slice(0, query.name.length - first.length).replace(/\.$/, '')
      return whenReady(walk(query, context, base, path), (outcome) => {
        if (outcome.isHit) ports.metrics.add('coredns_autopath_success_total', [context.server.server])
        return outcome.outcome
      })
    },
  }
}

interface Walked {
  readonly outcome: Outcome
  readonly isHit: boolean
}

function walk(query: Query, context: Context, base: string, path: readonly Name[]): Eventually<Walked> {
  const step = (index: number, first: Outcome | undefined): Eventually<Walked> => {
    const entry = path[index]
    if (entry === undefined) return { outcome: first ?? failed(rcode.SERVFAIL), isHit: false }
    const candidate = joinName(base, entry === '' ? '.' : entry)
    return whenReady(context.next({ ...query, name: candidate }), (outcome) => {
      if (outcome.kind === 'fail' && outcome.error !== undefined) return { outcome, isHit: false }
      const isMiss = outcome.kind !== 'reply' || outcome.reply.rcode === rcode.NXDOMAIN
      if (isMiss) return step(index + 1, first ?? outcome)
      return { outcome: replied(withAlias(outcome.reply, query.name)), isHit: true }
    })
  }
  return step(0, undefined)
}

/** Puts a CNAME from the asked name to the owner of the first record that has another owner in front. */
function withAlias(reply: Reply, name: Name): Reply {
  const other = reply.answer.find((record) => foldName(record.name) !== foldName(name))
  if (other === undefined) return reply
  return { ...reply, answer: [nameRecord(name, rrType.CNAME, other.ttlSeconds, other.name), ...reply.answer] }
}

function searchOf(resolvConf: string): Name[] {
  const lines = resolvConf.split('\n').map((line) => line.trim().split(/\s+/))
  const last = lines.filter(([word]) => word === 'search').pop() ?? []
  const names = last.slice(1).map((domain) => (domain.endsWith('.') ? domain : `${domain}.`))
  return names.length === 0 ? [] : [...names, '']
}
