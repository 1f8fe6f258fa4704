// Facts about a rendered configuration: lines, blocks, directives that must not be there, order of servers, size.

import { parseConfig } from '../config/parse.ts'
import { type PlainNode, plainLine, plainTree } from '../config/plain.ts'
import type { ConfigSpec } from './ingress-case.ts'

/** One fact and what is wrong with it (`undefined`: nothing). */
export interface CheckedFact {
  readonly fact: string
  readonly complaint: string | undefined
}

/**
 * Checks every fact but `valid`, which needs an nginx.
 *
 * @param isField - the field suite means parts of the text where the other one means whole lines
 */
export function checkConfigFacts(text: string, spec: ConfigSpec, isField: boolean): readonly CheckedFact[] {
  const { value, problems } = parseConfig(text)
  const tree = plainTree(value)
  const lines = tree.flatMap(linesOf)
  const has = (wanted: string): boolean =>
    (isField && text.includes(wanted)) || lines.some((line) => isLine(wanted, line))
  const facts: CheckedFact[] = problems.map((problem) => fact('parses', problem.message))
  for (const wanted of spec.contains ?? [])
    facts.push(fact(`contains ${wanted}`, has(wanted) ? undefined : 'no such line'))
  for (const wanted of spec.absent ?? [])
    facts.push(fact(`absent ${wanted}`, has(wanted) ? 'there is such a line' : undefined))
  for (const name of spec.absentDirectives ?? []) {
    const found = lines.find((line) => line === name || line.startsWith(`${name} `))
    facts.push(fact(`absentDirectives ${name}`, found && `found ${found}`))
  }
  for (const block of spec.blocks ?? []) facts.push(...checkBlock(tree, block))
  if (spec.serverOrder !== undefined) {
    const found = serversOf(tree)
      .map(firstName)
      .filter((name) => spec.serverOrder?.includes(name))
    facts.push(fact('serverOrder', found.join() === spec.serverOrder.join() ? undefined : `found ${found.join(', ')}`))
  }
  if (spec.maxBytes !== undefined) {
    const bytes = new TextEncoder().encode(text).length
    facts.push(fact(`maxBytes ${spec.maxBytes}`, bytes <= spec.maxBytes ? undefined : `found ${bytes}`))
  }
  return facts
}

type BlockFacts = NonNullable<ConfigSpec['blocks']>[number]

// A line counts for a location also when an outer block has it and the location has none of that name: nginx inherits.
function checkBlock(tree: readonly PlainNode[], block: BlockFacts): CheckedFact[] {
  const where = `${block.server}${block.location === undefined ? '' : ` location ${block.location}`}`
  const http = tree.find((node) => node.name === 'http')?.children ?? []
  const server = serversOf(tree).find(
    (node) => namesOf(node).includes(block.server) && firstName(node) === block.server,
  )
  const inner = server && (block.location === undefined ? server : locationOf(server, block.location))
  if (server === undefined || inner === undefined) return [fact(where, 'there is no such block')]
  const own = (inner.children ?? []).flatMap(linesOf)
  const levels = inner === server ? [server.children ?? [], http] : [inner.children ?? [], server.children ?? [], http]
  return [
    ...(block.contains ?? []).map((wanted) =>
      fact(
        `${where} contains ${wanted}`,
        own.some((line) => isLine(wanted, line)) || isInherited(wanted, levels) ? undefined : 'no such line',
      ),
    ),
    ...(block.absent ?? []).map((wanted) =>
      fact(`${where} absent ${wanted}`, own.some((line) => isLine(wanted, line)) ? 'there is such a line' : undefined),
    ),
  ]
}

function isInherited(wanted: string, levels: readonly (readonly PlainNode[])[]): boolean {
  const name = wanted.split(' ')[0] ?? ''
  const level = levels.find((nodes) => nodes.some((node) => node.name === name))
  return level?.some((node) => node.children === undefined && isLine(wanted, plainLine(node))) === true
}

function fact(text: string, complaint: string | undefined): CheckedFact {
  return { fact: text, complaint }
}

function isLine(wanted: string, line: string): boolean {
  const pattern = /^\/(.*)\/(i?)$/s.exec(wanted)
  return pattern === null ? wanted === line : new RegExp(pattern[1] ?? '', pattern[2]).test(line)
}

function linesOf(node: PlainNode): string[] {
  return [plainLine(node), ...(node.children ?? []).flatMap(linesOf)]
}

function serversOf(tree: readonly PlainNode[]): PlainNode[] {
  return (tree.find((node) => node.name === 'http')?.children ?? []).filter((node) => node.name === 'server')
}

function namesOf(server: PlainNode): readonly string[] {
  return (server.children ?? []).filter((node) => node.name === 'server_name').flatMap((node) => node.args)
}

function firstName(server: PlainNode): string {
  return namesOf(server)[0] ?? ''
}

function locationOf(server: PlainNode, wanted: string): PlainNode | undefined {
  return (server.children ?? []).find((node) => node.name === 'location' && node.args.join(' ') === wanted)
}
