// A tree without spelling: what nginx holds after reading it. Two trees mean the same file when these are equal.

import type { ConfigNode, ConfigTree } from './node.ts'
import { parseConfig } from './parse.ts'
import { argumentText } from './quote.ts'

/** A node as nginx reads it: unquoted texts, no comments, no places, no origins. */
export interface PlainNode {
  readonly name: string
  readonly args: readonly string[]
  readonly children?: readonly PlainNode[]
  /** Of a Lua block, white space at the ends of lines removed. */
  readonly code?: string
}

/** The tree as nginx reads it; raw text is parsed, as far as it parses. */
export function plainTree(tree: ConfigTree, parent = ''): readonly PlainNode[] {
  return tree.flatMap((node) => plainNode(node, parent))
}

/** One canonical line for a plain node: name and arguments, joined by one space. */
export function plainLine(node: PlainNode): string {
  if (node.name === 'if') return `if (${node.args.join(' ')})`
  return [node.name, ...node.args].join(' ')
}

function plainNode(node: ConfigNode, parent: string): PlainNode[] {
  switch (node.kind) {
    case 'comment':
      return []
    case 'raw':
      return [...plainTree(parseConfig(node.text, 'snippet').value, parent)]
    case 'lua':
      return [{ name: node.name, args: [], code: node.code.replaceAll(/[ \t]+$/gm, '').trim() }]
    default: {
      const args = node.args.map((arg, index) =>
        argumentText(arg, { directive: node.name, index, parent }).replaceAll('\0', ''),
      )
      if (node.kind === 'directive') return [{ name: node.name, args }]
      return [{ name: node.name, args, children: plainTree(node.children, node.name) }]
    }
  }
}
