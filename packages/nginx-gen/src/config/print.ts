// Tree to text, total and deterministic. Layout: two spaces a level, an empty line before each server.

import type { ConfigNode, ConfigTree } from './node.ts'
import { quoteArgument, quoteText } from './quote.ts'

/** The text of a configuration; the same tree always gives the same bytes. Ends with a newline unless empty. */
export function printConfig(tree: ConfigTree): string {
  const lines: string[] = []
  printNodes(tree, '', '', lines)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function printNodes(nodes: ConfigTree, parent: string, indent: string, lines: string[]): void {
  for (const node of nodes) printNode(node, parent, indent, lines)
}

function printNode(node: ConfigNode, parent: string, indent: string, lines: string[]): void {
  switch (node.kind) {
    case 'directive':
      lines.push(`${indent}${printHead(node.name, node, parent)};`)
      return
    case 'block':
      if (node.name === 'server' && lines.length > 0) lines.push('')
      lines.push(`${indent}${printHead(node.name, node, parent)} {`)
      printNodes(node.children, node.name, `${indent}  `, lines)
      lines.push(`${indent}}`)
      return
    case 'comment':
      // A line break would end the comment; comments are constants, so this only keeps the printer total.
      lines.push(`${indent}# ${node.text.replaceAll(/[\r\n]+/g, ' ')}`)
      return
    case 'raw':
      for (const line of node.text.split('\n')) lines.push(line.trim() === '' ? '' : `${indent}${line.trimEnd()}`)
      return
    case 'lua':
      lines.push(`${indent}${node.name} {`)
      for (const line of node.code.split('\n')) lines.push(line.trim() === '' ? '' : `${indent}  ${line.trimEnd()}`)
      lines.push(`${indent}}`)
  }
}

function printHead(name: string, node: ConfigNode & { kind: 'directive' | 'block' }, parent: string): string {
  const words = node.args.map((arg, index) => quoteArgument(arg, { directive: name, index, parent }))
  if (name === 'if' && node.kind === 'block') return `if (${words.join(' ')})`
  // Names are quoted too: inside `map` and `geo` a name is a key, which may hold anything.
  return [quoteText(name), ...words].join(' ')
}
