// Tree to text, total and deterministic. Layout: two spaces a level, an empty line before each server.

import type { Block, ConfigNode, ConfigTree, Directive } from './node.ts'
import { quoteArgument, quoteText } from './quote.ts'

/** The text of a configuration; the same tree always gives the same bytes. Ends with a newline unless empty. */
export function printConfig(tree: ConfigTree): string {
  const out: string[] = []
  printNodes(tree, '', '', out, { nodes: [], indent: '', texts: [], text: '' })
  return out.join('')
}

/** The location printed last: neighbours have most of their nodes in common, each of which is printed once then. */
interface Neighbour {
  nodes: ConfigTree
  indent: string
  readonly texts: string[]
  /** All of it. */
  text: string
}

// Servers are shared between one rendering and the next: each is printed once per place.
const servers = new WeakMap<Block, { readonly parent: string; readonly indent: string; readonly text: string }>()

function printNodes(nodes: ConfigTree, parent: string, indent: string, out: string[], last: Neighbour): void {
  for (const node of nodes) {
    if (node.kind !== 'block') out.push(printNode(node, parent, indent))
    else if (node.name !== 'server') printBlock(node, parent, indent, out, last)
    else {
      if (out.length > 0) out.push('\n')
      out.push(printServer(node, parent, indent, last))
    }
  }
}

function printServer(node: Block, parent: string, indent: string, last: Neighbour): string {
  const known = servers.get(node)
  if (known !== undefined && known.parent === parent && known.indent === indent) return known.text
  const out: string[] = []
  printBlock(node, parent, indent, out, last)
  // Joined, since a chain of many small texts is dear to keep.
  const text = out.join('')
  servers.set(node, { parent, indent, text })
  return text
}

function printBlock(node: Block, parent: string, indent: string, out: string[], last: Neighbour): void {
  const { name, children } = node
  const inside = `${indent}  `
  out.push(`${indent}${printHead(node, parent)} {\n`)
  if (name === 'location' && children.every(({ kind }) => kind !== 'block')) out.push(printLike(last, children, inside))
  else printNodes(children, name, inside, out, last)
  out.push(`${indent}}\n`)
}

/** The inside of a location, as far as it can be taken from its neighbour. */
function printLike(last: Neighbour, nodes: ConfigTree, indent: string): string {
  const isAlike = last.indent === indent
  if (isAlike && last.nodes === nodes) return last.text
  let all = ''
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Exclude<ConfigNode, Block>
    const same = isAlike && last.nodes[at] === node ? last.texts[at] : undefined
    const text = same ?? printNode(node, 'location', indent)
    last.texts[at] = text
    all += text
  }
  last.nodes = nodes
  last.indent = indent
  last.text = all
  return all
}

function printNode(node: Exclude<ConfigNode, Block>, parent: string, indent: string): string {
  switch (node.kind) {
    case 'directive':
      return `${indent}${printHead(node, parent)};\n`
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

function printHead(node: Directive | Block, parent: string): string {
  const { name, args } = node
  if (name === 'if' && node.kind === 'block') {
    const condition = printArguments(node, parent, '')
    // Quotes count only at the start of a word, so the parenthesis is a word of its own then.
    return `if (${/^["'()]/.test(condition) ? ' ' : ''}${condition}${/[()]$/.test(condition) ? ' ' : ''})`
  }
  // Names are quoted too: inside `map` and `geo` a name is a key, which may hold anything.
  return args.length === 0 ? quoteText(name) : printArguments(node, parent, quoteText(name))
}

function printArguments({ name, args }: Directive | Block, parent: string, before: string): string {
  let text = before
  for (let index = 0; index < args.length; index++) {
    const word = quoteArgument(args[index] as Directive['args'][number], { directive: name, index, parent })
    text = index === 0 && before === '' ? word : `${text} ${word}`
  }
  return text
}
