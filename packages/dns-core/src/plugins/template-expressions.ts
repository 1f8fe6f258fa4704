// The lines `var` and `expr` of a template (new in CoreDNS 1.15): values made from the question, and conditions on them.

import type { Directive } from '../corefile/directive.ts'
import { builtins, type ExpressionValue } from '../expression/builtins.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { Expression } from '../expression/parse-expression.ts'
import { compileExpression, queryFunctionNames, queryFunctions } from '../expression/query-functions.ts'
import type { ValueType } from '../expression/type-of-expression.ts'
import type { ConfigureInput, MetadataLabels } from '../plugin.ts'
import type { Query } from '../query.ts'
import type { TemplateObject } from './go-template-values.ts'

/** All `var` lines, then all `expr` lines of a template. */
export interface TemplateConditions {
  readonly variables: readonly { readonly name: string; readonly expression: Expression }[]
  readonly conditions: readonly Expression[]
}

/** Words that cannot name a variable though they look like names. */
const reservedWords: readonly string[] = [
  'true',
  'false',
  'nil',
  'not',
  'and',
  'or',
  'in',
  'matches',
  'contains',
  'let',
  'if',
  'else',
]

/** Reads the lines of one directive; each expression may use the variables of lines before it. */
export function conditionsOf(input: ConfigureInput, lines: readonly Directive[]): TemplateConditions {
  const names = new Map<string, ValueType>([['group', 'any']])
  const variables: { name: string; expression: Expression }[] = []
  const conditions: Expression[] = []
  for (const line of lines) {
    const [first, ...others] = line.args.map(({ text }) => text)
    if (line.name.text === 'var' && first !== undefined) {
      const problem = nameProblem(first)
      const compiled = compileExpression(others.join(' '), names)
      if (problem !== undefined) input.fail(problem, line.end)
      else if ('error' in compiled) input.fail(`could not compile expression: ${first}, ${compiled.error}`, line.end)
      else variables.push({ name: first, expression: compiled.expression })
      names.set(first, compiled !== undefined && 'type' in compiled ? compiled.type : 'any')
    }
    if (line.name.text === 'expr') {
      const compiled = compileExpression(line.args.map(({ text }) => text).join(' '), names)
      if ('error' in compiled) input.fail(`could not compile expression: ${compiled.error}`, line.end)
      else conditions.push(compiled.expression)
    }
  }
  return { variables, conditions }
}

function nameProblem(name: string): string | undefined {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) return `invalid variable name ${JSON.stringify(name)}`
  const isReserved =
    name === 'group' || queryFunctionNames.has(name) || Object.hasOwn(builtins, name) || reservedWords.includes(name)
  return isReserved ? `variable name ${JSON.stringify(name)} is reserved` : undefined
}

/**
 * Values of the variables for one question; `false` when a condition does not hold, `failed` when an expression cannot be
 * evaluated.
 */
export function variablesOf(
  { variables, conditions }: TemplateConditions,
  query: Query,
  metadata: MetadataLabels,
  data: TemplateObject,
): TemplateObject | 'false' | 'failed' {
  const groups = data['Group'] as { readonly [name: string]: string }
  const group = (name: ExpressionValue = ''): string => groups[String(name)] ?? ''
  const values: { [name: string]: ExpressionValue } = {}
  const scope = { values, functions: { ...queryFunctions(query, metadata), group } }
  try {
    for (const { name, expression } of variables) values[name] = evaluate(expression, scope)
    if (!conditions.every((condition) => evaluate(condition, scope) === true)) return 'false'
  } catch {
    // The original counts such a name as not matching and never falls through.
    return 'failed'
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? undefined : value]),
  ) as TemplateObject
}
