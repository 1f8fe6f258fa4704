// Tree to text, total and deterministic. Layout: two spaces a level, an empty line before each server.

import type { ConfigNode, ConfigTree } from './node.ts'
import { quoteArgument, quoteText } from './quote.ts'

/** The text of a configuration; the same tree always gives the same bytes. Ends with a newline unless empty. */
export function printConfig(tree: ConfigTree): string {
  return printNodes(tree, '', '')
}

// Nodes are shared between locations, and between one rendering and the next: each is printed once per place.
const printed = new WeakMap<ConfigNode, { readonly parent: string; readonly indent: string; readonly text: string }>()

function printNodes(nodes: ConfigTree, parent: string, indent: string): string {
  let text = ''
  for (const node of nodes) {
    if (node.kind === 'block' && node.name === 'server' && (text !== '' || parent !== '')) text += '\n'
    text += printOnce(node, parent, indent)
  }
  return text
}

function printOnce(node: ConfigNode, parent: string, indent: string): string {
  const known = printed.get(node)
  if (known !== undefined && known.parent === parent && known.indent === indent) return known.text
  const text = printNode(node, parent, indent)
  printed.set(node, { parent, indent, text })
  return text
}

function printNode(node: ConfigNode, parent: string, indent: string): string {
  switch (node.kind) {
    case 'directive':
      return `${indent}${printHead(node.name, node, parent)};\n`
    case 'block': {
      const inner = printNodes(node.children, node.name, `${indent}  `)
      return `${indent}${printHead(node.name, node, parent)} {\n${inner}${indent}}\n`
    }
    case 'comment':
      // A line break would end the comment; comments are constants, so this only keeps the printer total.
      return `${indent}# ${node.text.replaceAll(/[\r\n]+/g, ' ')}\n`
    case 'raw':
      return printLines(node.text, indent)
    case 'lua':
      return `${indent}${node.name} {\n${printLines(node.code, `${indent}  `)}${indent}}\n`
  }
}

function printLines(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '\n' : `${indent}${line.trimEnd()}\n`))
    .join('')
}

function printHead(name: string, node: ConfigNode & { kind: 'directive' | 'block' }, parent: string): string {
  const words = node.args.map((arg, index) => quoteArgument(arg, { directive: name, index, parent }))
  if (name === 'if' && node.kind === 'block') return `if (${words.join(' ')})`
  // Names are quoted too: inside `map` and `geo` a name is a key, which may hold anything.
  return [quoteText(name), ...words].join(' ')
}
