// Reserves a block for questions that fit an expression.

import type { Expression } from '../expression/parse-expression.ts'
import { compileExpression, holds, queryFunctions } from '../expression/query-functions.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'

interface ViewConfig {
  readonly name: string
  readonly conditions: readonly Expression[]
}

export const view: PluginDefinition<ViewConfig> = definePlugin({
  name: 'view',
  summary: 'Reserves a block for questions that fit an expression.',
  syntax: 'NAME',
  args: { min: 1, max: 1 },
  properties: { expr: { min: 0, max: Number.POSITIVE_INFINITY, syntax: 'EXPRESSION', summary: 'All must hold.' } },
  isOnce: true,
  configure(input) {
    const conditions = (input.directives[0]?.block ?? []).flatMap((line) => {
      const compiled = compileExpression(line.args.map((arg) => arg.text).join(' '))
      if (!('error' in compiled)) return [compiled.expression]
      input.failPlain(compiled.error)
      return []
    })
    return { name: input.directives[0]?.args[0]?.text ?? '', conditions }
  },
  create: ({ conditions }) => ({
    admits: (query, labels) => {
      const scope = { values: {}, functions: queryFunctions(query, labels) }
      return conditions.every((condition) => holds(condition, scope))
    },
  }),
})
