// What expressions know of a question: the functions that `view` and `template` offer (CoreDNS plugin/pkg/expression).

import { contains, parseCidr, parseIp } from '@kubewire/kube-model'
import { foldName } from '../name.ts'
import type { MetadataLabels } from '../plugin.ts'
import { type Query, replyLimit } from '../query.ts'
import { className, typeName } from '../record-types.ts'
import type { ExpressionValue } from './builtins.ts'
import { type ExpressionScope, evaluate, unknownName } from './evaluate.ts'
import { type Expression, parseExpression } from './parse-expression.ts'
import { type NameTypes, typeOfExpression, type ValueType } from './type-of-expression.ts'

/** Functions by name over one question. */
export function queryFunctions(query: Query, metadata: MetadataLabels): ExpressionScope['functions'] {
  return {
    incidr: inCidr,
    metadata: (label = '') => metadata.get(String(label))?.() ?? '',
    type: () => typeName(query.type),
    name: () => foldName(query.name),
    class: () => className(query.class),
    proto: () => (query.transport === 'udp' ? 'udp' : 'tcp'),
    size: () => query.sizeBytes,
    client_ip: () => query.client.address,
    port: () => String(query.client.port),
    id: () => query.id,
    opcode: () => query.opcode,
    do: () => query.edns?.dnssecOk ?? false,
    bufsize: () => replyLimit(query),
    server_ip: () => query.local.address,
    server_port: () => String(query.local.port),
  }
}

// biome-ignore format: a list of words
/** Names of these functions. */
export const queryFunctionNames: ReadonlySet<string> = new Set([
  'incidr', 'metadata', 'type', 'name', 'class', 'proto', 'size', 'client_ip', 'port', 'id', 'opcode', 'do', 'bufsize',
  'server_ip', 'server_port',
])

/** Reads an expression over a question; `others` are further names it may use. */
export function compileExpression(
  text: string,
  others: NameTypes = new Map(),
): { readonly expression: Expression; readonly type: ValueType } | { readonly error: string } {
  const parsed = parseExpression(text)
  if ('error' in parsed) return parsed
  const unknown = unknownName(parsed.expression, (name) => queryFunctionNames.has(name) || others.has(name))
  if (unknown === undefined) {
    const typed = typeOfExpression(parsed.expression, others)
    return 'error' in typed ? typed : { ...parsed, type: typed.type }
  }
  return { error: `unknown name ${unknown} (1:${text.search(new RegExp(`\\b${unknown}\\b`)) + 1})` }
}

/** Whether an expression is exactly true of a question; what fails to evaluate is not. */
export function holds(expression: Expression, scope: ExpressionScope): boolean {
  try {
    return evaluate(expression, scope) === true
  } catch {
    return false
  }
}

function inCidr(address: ExpressionValue = '', prefix: ExpressionValue = ''): boolean {
  const ip = parseIp(String(address))
  if (ip === undefined) throw new Error('first argument is not an IP address')
  const cidr = parseCidr(String(prefix))
  if (cidr === undefined) throw new Error(`invalid CIDR address: ${String(prefix)}`)
  return contains(cidr, ip)
}
