// Values of expressions. What the original refuses at run time throws here; who evaluates catches it.

import { compileGoRegexp } from '../plugins/go-regexp.ts'
import { builtins, closures, type ExpressionValue, isMap } from './builtins.ts'
import type { Expression } from './parse-expression.ts'

/** Names an expression may use: values, and functions of values. */
export interface ExpressionScope {
  readonly values: { readonly [name: string]: ExpressionValue }
  readonly functions: { readonly [name: string]: (...args: readonly ExpressionValue[]) => ExpressionValue }
}

/** The first name that neither the scope nor the language knows. */
export function unknownName(expression: Expression, known: (name: string) => boolean): string | undefined {
  const isKnown = (name: string): boolean => known(name) || Object.hasOwn(builtins, name) || closures.has(name)
  return namesOf(expression).find((name) => !isKnown(name))
}

function namesOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name]
    case 'call':
      return [expression.name, ...expression.args.flatMap(namesOf)]
    case 'list':
      return expression.items.flatMap(namesOf)
    case 'map':
      return expression.entries.flatMap(([key, value]) => [...namesOf(key), ...namesOf(value)])
    case 'unary':
      return namesOf(expression.operand)
    case 'binary':
      return [...namesOf(expression.left), ...namesOf(expression.right)]
    case 'choice':
      return [expression.test, expression.yes, expression.no].flatMap(namesOf)
    case 'member':
      return [...namesOf(expression.object), ...namesOf(expression.key)]
    case 'slice':
      return [expression.object, expression.from, expression.to].flatMap((part) => (part ? namesOf(part) : []))
    case 'value':
    case 'element':
      return []
  }
}

/** The value of an expression. Throws where types do not fit. */
export function evaluate(expression: Expression, scope: ExpressionScope, element?: ExpressionValue): ExpressionValue {
  const value = (inner: Expression): ExpressionValue => evaluate(inner, scope, element)
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'element':
      return element ?? null
    case 'name':
      return Object.hasOwn(scope.values, expression.name) ? (scope.values[expression.name] ?? null) : null
    case 'list':
      return expression.items.map(value)
    case 'map':
      return Object.fromEntries(expression.entries.map(([key, item]) => [String(value(key)), value(item)]))
    case 'unary':
      return expression.operator === 'not'
        ? !truth(value(expression.operand))
        : signed(expression.operator, value(expression.operand))
    case 'binary':
      return binary(
        expression.operator,
        () => value(expression.left),
        () => value(expression.right),
      )
    case 'choice':
      return truth(value(expression.test)) ? value(expression.yes) : value(expression.no)
    case 'member':
      return memberOf(value(expression.object), value(expression.key), expression.isOptional)
    case 'slice':
      return sliceOf(
        value(expression.object),
        expression.from && value(expression.from),
        expression.to && value(expression.to),
      )
    case 'call':
      return call(expression, scope, element)
  }
}

function call(
  { name, args }: Extract<Expression, { kind: 'call' }>,
  scope: ExpressionScope,
  element: ExpressionValue | undefined,
): ExpressionValue {
  const own = Object.hasOwn(scope.functions, name) ? scope.functions[name] : undefined
  if (own !== undefined) return own(...args.map((arg) => evaluate(arg, scope, element)))
  const closure = closures.get(name)
  if (closure !== undefined) {
    const [list, body] = args
    const items = list === undefined ? null : evaluate(list, scope, element)
    if (!Array.isArray(items)) throw new Error(`builtin ${name} takes only array`)
    return closure(items, (item) => (body === undefined ? item : evaluate(body, scope, item)))
  }
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined
  if (builtin === undefined) throw new Error(`unknown name ${name}`)
  return builtin(...args.map((arg) => evaluate(arg, scope, element)))
}

function truth(value: ExpressionValue): boolean {
  if (typeof value !== 'boolean') throw new Error('expected a boolean')
  return value
}

function signed(operator: string, value: ExpressionValue): number {
  if (typeof value !== 'number') throw new Error(`invalid operation: ${operator} (mismatched type)`)
  return operator === '-' ? -value : value
}

function binary(operator: string, left: () => ExpressionValue, right: () => ExpressionValue): ExpressionValue {
  switch (operator) {
    case '||':
    case 'or':
      return truth(left()) || truth(right())
    case '&&':
    case 'and':
      return truth(left()) && truth(right())
    case '??':
      return left() ?? right()
  }
  const [a, b] = [left(), right()]
  switch (operator) {
    case '==':
      return isEqual(a, b)
    case '!=':
      return !isEqual(a, b)
    case 'in':
      if (Array.isArray(b)) return b.some((item) => isEqual(a, item))
      return isMap(b) && Object.hasOwn(b, String(a))
    case '+':
      if (typeof a === 'string' && typeof b === 'string') return a + b
  }
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(operator, a, b)
  if (typeof a === 'number' && typeof b === 'number') return computeNumbers(operator, a, b)
  throw new Error(`invalid operation: ${operator} (mismatched types)`)
}

function compareTexts(operator: string, a: string, b: string): boolean {
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    case 'contains':
      return a.includes(b)
    case 'startsWith':
      return a.startsWith(b)
    case 'endsWith':
      return a.endsWith(b)
    case 'matches': {
      const pattern = compileGoRegexp(b)
      if ('error' in pattern) throw new Error(pattern.error)
      return pattern.test(a)
    }
    default:
      throw new Error(`invalid operation: ${operator} (mismatched types string and string)`)
  }
}

function computeNumbers(operator: string, a: number, b: number): ExpressionValue {
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      if (b === 0) throw new Error('integer divide by zero')
      return a % b
    case '**':
    case '^':
      return a ** b
    case '..':
      if (b - a > 1e6) throw new Error('memory budget exceeded')
      return Array.from({ length: Math.max(0, b - a + 1) }, (_, i) => a + i)
    default:
      throw new Error(`invalid operation: ${operator} (mismatched types int and int)`)
  }
}

function isEqual(a: ExpressionValue, b: ExpressionValue): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

function memberOf(object: ExpressionValue, key: ExpressionValue, isOptional: boolean): ExpressionValue {
  if (Array.isArray(object) && typeof key === 'number') {
    const item = object.at(key)
    if (item === undefined) throw new Error(`index out of range: ${key} (array length is ${object.length})`)
    return item
  }
  if (isMap(object)) return Object.hasOwn(object, String(key)) ? (object[String(key)] ?? null) : null
  if (isOptional && object === null) return null
  throw new Error(`cannot fetch ${String(key)}`)
}

function sliceOf(
  object: ExpressionValue,
  from: ExpressionValue | undefined,
  to: ExpressionValue | undefined,
): ExpressionValue {
  const ends = [from, to].map((end) => (typeof end === 'number' ? end : undefined))
  if (typeof object === 'string' || Array.isArray(object)) return object.slice(...ends)
  throw new Error('cannot slice')
}
