// Checks a tree as far as nginx's own reading of the directives goes: names, places, numbers of arguments, sizes,
// spelling of variables. Runs nothing and opens no file, so it is safe on what nobody has accepted yet.

import type { ObjectRef, Problem } from '@kubewire/kube-model'
import { quoteFound } from '@kubewire/kube-model'
import type { NginxProblemCode } from '../problem-codes.ts'
import { byteLength } from './byte-length.ts'
import { type DirectiveRule, directiveRule, expandsVariables, hasKeys, type Place } from './directives.ts'
import type { Argument, Block, ConfigNode, ConfigTree, Directive, Origin } from './node.ts'
import { argumentText } from './quote.ts'

/**
 * What nginx would refuse in a tree, one problem each, with the origin of the node as its object.
 *
 * An empty answer does not promise that `nginx -t` accepts the file: files, addresses and patterns are not looked at.
 *
 * @returns problems with code `NGX_CONFIG_DIRECTIVE`
 * @see nginx 1.22 ngx_conf_handler
 */
export function checkConfig(tree: ConfigTree): readonly Problem[] {
  const problems: Problem[] = []
  checkChildren(tree, { place: 'M', name: '' }, problems)
  return problems
}

// nginx reads the file through a buffer of 4096 bytes, and no argument may be longer (NGX_CONF_BUFFER).
const maxArgumentBytes = 4096

interface Parent {
  readonly place: Place
  readonly name: string
  /** Of the nearest enclosing block that has one; children that locations share have none of their own. */
  readonly origin?: Origin
}

function checkChildren(nodes: ConfigTree, parent: Parent, problems: Problem[]): void {
  for (const node of nodes) {
    if (node.kind === 'directive' || node.kind === 'block') checkNode(node, parent, problems)
    else if (node.kind === 'lua') checkLua(node.name, node, parent, problems)
  }
}

function checkNode(node: Directive | Block, parent: Parent, problems: Problem[]): void {
  const report = (message: string): number => problems.push(problemAt(node, message, parent.origin))
  checkArguments(node, parent.name, report)
  if (hasKeys(parent.name)) return
  // `server` is a block in http and a line in an upstream.
  const rule = node.name === 'server' && 'UW'.includes(parent.place) ? upstreamServer : directiveRule(node.name)
  if (rule === undefined) report(`unknown directive ${quoteFound(node.name)}`)
  else checkRule(node, rule, parent, report)
  if (node.kind === 'block') {
    const origin = node.origin ?? parent.origin
    const inside = { place: placeInside(node.name, parent.place), name: node.name }
    checkChildren(node.children, origin === undefined ? inside : { ...inside, origin }, problems)
  }
}

function checkRule(node: Directive | Block, rule: DirectiveRule, parent: Parent, report: (m: string) => void): void {
  if (!rule.places.includes(parent.place)) report(`directive ${node.name} is not allowed in ${parent.name || 'main'}`)
  if (rule.isBlock !== (node.kind === 'block')) {
    report(rule.isBlock ? `directive ${node.name} needs a block` : `directive ${node.name} takes no block`)
  }
  const count = node.args.length
  if (count < rule.least || count > rule.most) report(`directive ${node.name} does not take ${count} arguments`)
  else if (
    rule.isFlag &&
    !/^(?:on|off)$/i.test(argumentText(node.args[0] as Argument, placeOf(node, 0, parent.name)))
  ) {
    report(`directive ${node.name} takes "on" or "off"`)
  }
}

function checkArguments(node: Directive | Block, parent: string, report: (m: string) => void): void {
  node.args.forEach((arg, index) => {
    const place = placeOf(node, index, parent)
    const text = argumentText(arg, place)
    if (byteLength(text) >= maxArgumentBytes) report(`argument of ${node.name} is longer than nginx reads (4 KiB)`)
    if (text.includes('\0')) report(`argument of ${node.name} holds a NUL character`)
    if (scripted.has(node.name) && expandsVariables(place) && /\$(?!\{?\w)|\$\{\w*(?![\w}])/.test(text)) {
      report(`invalid variable name in ${quoteFound(text)}`)
    }
  })
}

// Directives that compile their arguments as scripts and refuse a lone `$`.
const scripted: ReadonlySet<string> = new Set([
  'add_header',
  'more_set_headers',
  'proxy_cookie_domain',
  'proxy_cookie_path',
  'proxy_pass',
  'proxy_set_header',
  'grpc_pass',
  'grpc_set_header',
  'fastcgi_param',
  'limit_req_zone',
  'limit_conn_zone',
  'return',
  'set',
  'auth_basic',
  'log_format',
])

const upstreamServer: DirectiveRule = {
  places: 'UW',
  least: 1,
  most: Number.MAX_SAFE_INTEGER,
  isBlock: false,
  isFlag: false,
}

function checkLua(name: string, node: ConfigNode, parent: Parent, problems: Problem[]): void {
  const rule = directiveRule(name)
  if (rule === undefined) problems.push(problemAt(node, `unknown directive ${quoteFound(name)}`, parent.origin))
  else if (!rule.places.includes(parent.place)) {
    problems.push(problemAt(node, `directive ${name} is not allowed in ${parent.name || 'main'}`, parent.origin))
  }
}

function placeInside(name: string, outer: Place): Place {
  const inStream = outer === 'T'
  switch (name) {
    case 'events':
      return 'E'
    case 'http':
      return 'H'
    case 'stream':
      return 'T'
    case 'server':
      return inStream ? 'V' : 'S'
    case 'upstream':
      return inStream ? 'W' : 'U'
    case 'location':
      return 'L'
    case 'limit_except':
      return 'X'
    case 'if':
      return outer === 'S' ? 'J' : 'I'
    default:
      return outer
  }
}

function placeOf(node: Directive | Block, index: number, parent: string): Parameters<typeof argumentText>[1] {
  return { directive: node.name, index, parent }
}

function problemAt(node: ConfigNode, message: string, outer: Origin | undefined): Problem {
  const origin = ('origin' in node ? node.origin : undefined) ?? outer
  const object: ObjectRef = origin?.object ?? { kind: 'File', name: 'nginx.conf' }
  const base = {
    code: 'NGX_CONFIG_DIRECTIVE' satisfies NginxProblemCode,
    severity: 'error' as const,
    object,
    path: origin?.path ?? '',
    message,
    fallback: 'nginx would refuse the file',
  }
  const position = 'position' in node ? node.position : undefined
  return position === undefined ? base : { ...base, position: { file: object.name, ...position } }
}
