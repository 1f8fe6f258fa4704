// Logs failures of later plugins, one line each, or one line for many.

import { foldName } from '../name.ts'
import { whenReady } from '../outcome.ts'
import { definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { typeName } from '../record-types.ts'
import { compileGoRegexp } from './go-regexp.ts'
import { durationArgument } from './zone-arguments.ts'

/** One `consolidate` line. */
interface Consolidation {
  readonly periodMs: number
  readonly pattern: RegExp
  readonly level: 'warning' | 'error' | 'info' | 'debug'
  readonly showsFirst: boolean
}

interface ErrorsConfig {
  readonly consolidations: readonly Consolidation[]
}

export const errors: PluginDefinition<ErrorsConfig> = definePlugin({
  name: 'errors',
  summary: 'Logs failures of later plugins.',
  syntax: '[stdout]',
  args: { min: 0, max: 1 },
  properties: {
    stacktrace: { min: 0, max: 0, syntax: '', summary: 'Logs where an exception was thrown.' },
    consolidate: {
      min: 2,
      max: 4,
      syntax: 'DURATION REGEX [LEVEL] [show_first]',
      summary: 'Counts matching errors and logs one line for each period.',
    },
  },
  isOnce: true,
  configure(input) {
    const consolidations: Consolidation[] = []
    for (const directive of input.directives) {
      const [target] = directive.args
      if (target !== undefined && target.text !== 'stdout') {
        input.fail(`invalid log file: ${target.text}`, target)
      }
      for (const line of directive.block ?? []) {
        if (line.name.text !== 'consolidate') continue
        const periodMs = durationArgument(input, line.args[0]) ?? 0
        const pattern = compileGoRegexp(line.args[1]?.text ?? '')
        if (pattern === undefined) input.fail(`error parsing regexp: ${line.args[1]?.text}`, line.end)
        const words = line.args.slice(2).map((arg) => arg.text)
        const level = (['warning', 'error', 'info', 'debug'] as const).find((word) => words.includes(word)) ?? 'error'
        consolidations.push({ periodMs, pattern: pattern ?? /$^/, level, showsFirst: words.includes('show_first') })
      }
    }
    return { consolidations }
  },
  create: ({ consolidations }, ports) => createErrors(consolidations, ports),
})

function createErrors(consolidations: readonly Consolidation[], ports: Ports): Plugin {
  const counts = consolidations.map(() => 0)
  const cancels = new Set<() => void>()
  const report = (text: string): void => {
    const index = consolidations.findIndex(({ pattern }) => pattern.test(text))
    const rule = consolidations[index]
    if (rule === undefined) {
      ports.log('error', `plugin/errors: ${text}`)
      return
    }
    counts[index] = (counts[index] ?? 0) + 1
    if (counts[index] !== 1) return
    if (rule.showsFirst) ports.log(rule.level, `plugin/errors: ${text}`)
    const cancel = ports.schedule(rule.periodMs, () => {
      cancels.delete(cancel)
      const count = counts[index] ?? 0
      counts[index] = 0
      const shown = rule.showsFirst ? 1 : 0
      if (count > shown) {
        const seconds = rule.periodMs / 1000
        ports.log(
          rule.level,
          `plugin/errors: ${count} errors like '${rule.pattern.source}' occurred in last ${seconds}s`,
        )
      }
    })
    cancels.add(cancel)
  }
  return {
    handle(query, context) {
      return whenReady(context.next(query), (outcome) => {
        if (outcome.kind === 'fail' && outcome.error !== undefined) {
          report(`${outcome.rcode} ${foldName(query.name)} ${typeName(query.type)}: ${outcome.error}`)
        }
        return outcome
      })
    },
    isTransparent: true,
    close() {
      for (const cancel of cancels) cancel()
    },
  }
}
