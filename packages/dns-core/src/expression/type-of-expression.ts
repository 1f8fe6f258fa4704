// Whether the types of an expression can fit, asked before anything is evaluated. What is not known fits everything.
// Source: expr-lang 1.17 checker; the signatures are those of CoreDNS 1.15 plugin/pkg/expression.

import type { Expression } from './parse-expression.ts'

/** The type of a value: a plain one, `any` where it is not known, or a list of elements of one type. */
export type ValueType = 'string' | 'int' | 'float' | 'bool' | 'nil' | 'map' | 'any' | `list ${string}`

/** Types of names that an expression may use beside the functions of a question. */
export type NameTypes = ReadonlyMap<string, ValueType>

/** The type of an expression, or why it has none, in the original's words. */
export type TypedExpression = { readonly type: ValueType } | { readonly error: string }

/** Thrown inside this file only. */
class TypeProblem extends Error {}

/** Checks a whole expression. */
export function typeOfExpression(expression: Expression, names: NameTypes = new Map()): TypedExpression {
  try {
    return { type: typeOf(expression, { names, element: 'any' }) }
  } catch (cause) {
    if (cause instanceof TypeProblem) return { error: cause.message }
    throw cause
  }
}

interface Scope {
  readonly names: NameTypes
  /** What a closure looks at. */
  readonly element: ValueType
}

function typeOf(expression: Expression, scope: Scope): ValueType {
  switch (expression.kind) {
    case 'value':
      return typeOfValue(expression.value)
    case 'element':
      return scope.element
    case 'name':
      return scope.names.get(expression.name) ?? 'any'
    case 'list':
      return `list ${common(expression.items.map((item) => typeOf(item, scope)))}`
    case 'map':
      for (const [, value] of expression.entries) typeOf(value, scope)
      return 'map'
    case 'unary':
      return unaryType(expression.operator, typeOf(expression.operand, scope))
    case 'binary':
      return binaryType(expression.operator, typeOf(expression.left, scope), typeOf(expression.right, scope))
    case 'choice': {
      const test = typeOf(expression.test, scope)
      if (!fits(test, 'bool')) throw new TypeProblem(`non-bool expression (type ${test}) used as condition`)
      return common([typeOf(expression.yes, scope), typeOf(expression.no, scope)])
    }
    case 'member':
      return memberType(expression, scope)
    case 'slice':
      return typeOf(expression.object, scope)
    case 'call':
      return callType(expression.name, expression.args, scope)
  }
}

function typeOfValue(value: string | number | boolean | null): ValueType {
  if (value === null) return 'nil'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

function common(types: readonly ValueType[]): ValueType {
  const [first = 'any'] = types
  return types.every((type) => type === first) ? first : 'any'
}

function elementOf(type: ValueType): ValueType {
  return type.startsWith('list ') ? (type.slice(5) as ValueType) : 'any'
}

function fits(type: ValueType, ...wanted: readonly ValueType[]): boolean {
  return type === 'any' || wanted.includes('any') || wanted.includes(type)
}

function isNumber(type: ValueType): boolean {
  return fits(type, 'int', 'float')
}

function unaryType(operator: string, operand: ValueType): ValueType {
  const isGood = operator === 'not' ? fits(operand, 'bool') : isNumber(operand)
  if (!isGood) throw new TypeProblem(`invalid operation: ${operator} (mismatched type ${shown(operand)})`)
  return operand
}

function binaryType(operator: string, left: ValueType, right: ValueType): ValueType {
  const both = (...wanted: readonly ValueType[]): boolean => fits(left, ...wanted) && fits(right, ...wanted)
  const result = resultOf(operator, left, right, both)
  if (result !== undefined) return result
  throw new TypeProblem(`invalid operation: ${operator} (mismatched types ${shown(left)} and ${shown(right)})`)
}

function resultOf(
  operator: string,
  left: ValueType,
  right: ValueType,
  both: (...wanted: readonly ValueType[]) => boolean,
): ValueType | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return areComparable(left, right) ? 'bool' : undefined
    case 'or':
    case '||':
    case 'and':
    case '&&':
      return both('bool') ? 'bool' : undefined
    case '<':
    case '>':
    case '<=':
    case '>=':
      return both('int', 'float') || both('string') ? 'bool' : undefined
    case '+':
      if (both('string') && (left === 'string' || right === 'string')) return 'string'
      return both('int', 'float') ? sumType(left, right) : undefined
    case '-':
    case '*':
      return both('int', 'float') ? sumType(left, right) : undefined
    case '/':
    case '**':
    case '^':
      return both('int', 'float') ? 'float' : undefined
    case '%':
      return both('int') ? 'int' : undefined
    case '..':
      return both('int') ? 'list int' : undefined
    case 'matches':
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return both('string') ? 'bool' : undefined
    case 'in':
      return inType(left, right)
    default:
      return 'any'
  }
}

function inType(left: ValueType, right: ValueType): ValueType | undefined {
  if (right === 'any' || right === 'map') return 'bool'
  if (!right.startsWith('list ')) return left === 'any' && right === 'string' ? 'bool' : undefined
  const element = elementOf(right)
  if (areComparable(left, element)) return 'bool'
  throw new TypeProblem(`cannot use ${shown(left)} as type ${shown(element)} in array`)
}

function sumType(left: ValueType, right: ValueType): ValueType {
  if (left === 'any' || right === 'any') return 'any'
  return left === 'int' && right === 'int' ? 'int' : 'float'
}

function areComparable(left: ValueType, right: ValueType): boolean {
  if (left === 'any' || right === 'any' || left === 'nil' || right === 'nil' || left === right) return true
  if (left.startsWith('list ') && right.startsWith('list ')) return true
  return isNumber(left) && isNumber(right)
}

function memberType({ object, key }: Expression & { readonly kind: 'member' }, scope: Scope): ValueType {
  const of = typeOf(object, scope)
  const by = typeOf(key, scope)
  if (of === 'any' || of === 'map' || of === 'nil') return 'any'
  if (of.startsWith('list ')) {
    if (fits(by, 'int')) return elementOf(of)
    throw new TypeProblem(`array elements can only be selected using an integer (got ${shown(by)})`)
  }
  throw new TypeProblem(`type ${of}[${shown(by)}] is undefined`)
}

interface Signature {
  /** Absent where anything goes. */
  readonly takes?: readonly ValueType[]
  readonly gives: ValueType
}

/** What functions take and give; those that are not here take and give anything. */
const signatures: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ['incidr', { takes: ['string', 'string'], gives: 'bool' }],
  ['metadata', { takes: ['string'], gives: 'string' }],
  ['group', { takes: ['any'], gives: 'string' }],
  ['do', { takes: [], gives: 'bool' }],
  ...each(['type', 'name', 'class', 'proto', 'client_ip', 'port', 'server_ip', 'server_port'], {
    takes: [],
    gives: 'string',
  }),
  ...each(['size', 'id', 'opcode', 'bufsize'], { takes: [], gives: 'int' }),
  ...each(['lower', 'upper', 'trim', 'trimPrefix', 'trimSuffix', 'replace', 'repeat', 'join', 'string'], {
    gives: 'string',
  }),
  ...each(['len', 'indexOf', 'lastIndexOf', 'int', 'count', 'findIndex'], { gives: 'int' }),
  ...each(['hasPrefix', 'hasSuffix', 'all', 'any', 'none', 'one'], { gives: 'bool' }),
  ...each(['split', 'splitAfter'], { gives: 'list string' }),
  ['float', { gives: 'float' }],
])

function each(names: readonly string[], signature: Signature): (readonly [string, Signature])[] {
  return names.map((name) => [name, signature] as const)
}

const closureNames: ReadonlySet<string> = new Set([
  ...['all', 'any', 'none', 'one', 'filter', 'map', 'count', 'find', 'findIndex'],
])

function callType(name: string, args: readonly Expression[], scope: Scope): ValueType {
  const [first, ...others] = args
  const over = first === undefined ? 'any' : typeOf(first, scope)
  const inner = closureNames.has(name) ? { ...scope, element: elementOf(over) } : scope
  const types = first === undefined ? [] : [over, ...others.map((arg) => typeOf(arg, inner))]
  const { takes, gives }: Signature = signatures.get(name) ?? { gives: 'any' }
  if (takes !== undefined && types.length !== takes.length)
    throw new TypeProblem(`${types.length < takes.length ? 'not enough' : 'too many'} arguments to call ${name}`)
  const wrong = types.findIndex((type, at) => !fits(type, takes?.[at] ?? type))
  if (wrong >= 0)
    throw new TypeProblem(
      `cannot use ${shown(types[wrong] ?? 'any')} as argument (type ${takes?.[wrong]}) to call ${name} `,
    )
  return gives
}

function shown(type: ValueType): string {
  if (type.startsWith('list ')) return `[]${elementOf(type) === 'any' ? 'interface {}' : elementOf(type)}`
  return type === 'float' ? 'float64' : type === 'map' ? 'map[string]interface {}' : type
}
