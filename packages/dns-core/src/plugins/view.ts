// Reserves a block for questions that fit an expression.

import { definePlugin, type PluginDefinition } from '../plugin.ts'
import type { Query } from '../query.ts'
import { compileViewExpression } from './view-expression.ts'

interface ViewConfig {
  readonly name: string
  readonly conditions: readonly ((query: Query) => boolean)[]
}

export const view: PluginDefinition<ViewConfig> = definePlugin({
  name: 'view',
  summary: 'Reserves a block for questions that fit an expression.',
  syntax: 'NAME',
  args: { min: 1, max: 1 },
  properties: { expr: { min: 1, max: Number.POSITIVE_INFINITY, syntax: 'EXPRESSION', summary: 'All must hold.' } },
  isOnce: true,
  configure(input) {
    const conditions = (input.directives[0]?.block ?? []).flatMap((line) => {
      const compiled = compileViewExpression(line.args.map((arg) => arg.text).join(' '))
      if (typeof compiled === 'function') return [compiled]
      input.fail(compiled.error, line.end)
      return []
    })
    return { name: input.directives[0]?.args[0]?.text ?? '', conditions }
  },
  create: ({ conditions }) => ({ admits: (query) => conditions.every((holds) => holds(query)) }),
})
