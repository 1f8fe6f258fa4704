// Logs failures of later plugins, one line each, or one line for many.

import { printGoDuration as goDuration } from '@kubewire/kube-model'
import type { Directive } from '../corefile/directive.ts'
import { foldName } from '../name.ts'
import { whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { rcode, typeName } from '../record-types.ts'
import { compileGoRegexp } from './go-regexp.ts'
import { durationArgument } from './zone-arguments.ts'

/** One `consolidate` line. */
interface Consolidation {
  readonly periodMs: number
  readonly pattern: RegExp
  /** The pattern as it stands in the Corefile. */
  readonly text: string
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
  checksItself: true,
  configure(input) {
    const consolidations: Consolidation[] = []
    for (const directive of input.directives) {
      const [target] = directive.args
      if (target !== undefined && target.text !== 'stdout') {
        input.fail(`invalid log file: ${target.text}`, target)
      }
      for (const line of directive.block ?? []) {
        if (line.name.text === 'consolidate') consolidations.push(consolidationOf(input, line))
        const unknown = line.name.text === 'stacktrace' ? line.args[0] : line.name
        if (line.name.text === 'consolidate' || unknown === undefined) continue
        // COMPAT: the words of this message stand in the places of a syntax error (CoreDNS plugin/errors/setup.go).
        input.fail(
          `Syntax error: Unexpected token '${unknown.text}', expecting 'Unknown field ${unknown.text}'`,
          unknown,
        )
      }
    }
    return { consolidations }
  },
  create: ({ consolidations }, ports) => createErrors(consolidations, ports),
})

const levels = ['warning', 'error', 'info', 'debug'] as const

function consolidationOf(input: ConfigureInput, line: Directive): Consolidation {
  const [period, expression, ...options] = line.args
  if (expression === undefined || options.length > 2) {
    const { text } = line.args[line.args.length - 1] ?? line.name
    input.fail(`Wrong argument count or unexpected line ending after '${text}'`, line.end)
  }
  const pattern = compileGoRegexp(expression?.text ?? '')
  if ('error' in pattern) input.fail(pattern.error, line.end)
  let level: Consolidation['level'] | undefined
  let showsFirst = false
  for (const { text } of options) {
    const found = levels.find((word) => word === text)
    if (found !== undefined) {
      if (level !== undefined) input.fail('multiple log levels specified in consolidate', line.end)
      else if (showsFirst) input.fail('log level must come before show_first in consolidate', line.end)
      level = found
    } else if (text === 'show_first') showsFirst = true
    else input.fail(`unknown option in consolidate: ${text}`, line.end)
  }
  const periodMs = durationArgument(input, period) ?? 0
  const compiled = 'error' in pattern ? /$^/ : pattern
  return { periodMs, pattern: compiled, text: expression?.text ?? '', level: level ?? 'error', showsFirst }
}

function createErrors(consolidations: readonly Consolidation[], ports: Ports): Plugin {
  const counts = consolidations.map(() => 0)
  const running = new Map<number, () => void>()
  const summarize = (index: number): void => {
    running.delete(index)
    const rule = consolidations[index]
    const count = counts[index] ?? 0
    counts[index] = 0
    if (rule === undefined || count === 0 || (count === 1 && rule.showsFirst)) return
    ports.log(
      rule.level,
      `plugin/errors: ${count} errors like '${rule.text}' occurred in last ${goDuration(rule.periodMs)}`,
    )
  }
  /** The level to log an error at; nothing when it is only counted. */
  const levelOf = (error: string): Consolidation['level'] | undefined => {
    const index = consolidations.findIndex(({ pattern }) => pattern.test(error))
    const rule = consolidations[index]
    if (rule === undefined) return 'error'
    counts[index] = (counts[index] ?? 0) + 1
    if (counts[index] !== 1) return undefined
    running.set(
      index,
      ports.schedule(rule.periodMs, () => summarize(index)),
    )
    return rule.showsFirst ? rule.level : undefined
  }
  return {
    handle(query, context) {
      return whenReady(context.next(query), (outcome) => {
        const error = outcome.kind === 'fail' ? outcome.error : context.answeredBy.error
        if (error === undefined) return outcome
        const level = levelOf(error)
        // COMPAT: the question as rules of rewrite left it; a failure that they made a reply of has the code of success.
        const { name, type } = context.answeredBy.rewritten ?? query
        const what = `${outcome.kind === 'fail' ? outcome.rcode : rcode.NOERROR} ${foldName(name)} ${typeName(type)}`
        if (level !== undefined) ports.log(level, `plugin/errors: ${what}: ${error}`)
        return outcome
      })
    },
    isTransparent: true,
    close() {
      for (const [index, cancel] of [...running]) {
        cancel()
        summarize(index)
      }
    },
  }
}
