// The tree as the simulator walks it: texts as nginx holds them, each node with the node it came from, so that a trace
// can name objects. Raw text is parsed here: nginx would read it too.

import type { ConfigNode, ConfigTree } from '../config/node.ts'
import { parseConfig } from '../config/parse.ts'
import { argumentText } from '../config/quote.ts'

/** One node as nginx reads it. */
export interface SourceNode {
  readonly name: string
  readonly args: readonly string[]
  readonly children: readonly SourceNode[]
  /** Code of a Lua block. */
  readonly code?: string
  readonly source: ConfigNode
}

/** Reads a tree once, for any number of requests. */
export function sourceTree(tree: ConfigTree, parent = ''): readonly SourceNode[] {
  return tree.flatMap((node): SourceNode[] => {
    switch (node.kind) {
      case 'comment':
        return []
      case 'raw':
        return [...sourceTree(parseConfig(node.text, 'snippet').value, parent)]
      case 'lua':
        return [{ name: node.name, args: [], children: [], code: node.code, source: node }]
      default: {
        const args = node.args.map((arg, index) => argumentText(arg, { directive: node.name, index, parent }))
        const children = node.kind === 'block' ? sourceTree(node.children, node.name) : []
        return [{ name: node.name, args, children, source: node }]
      }
    }
  })
}

// Many requests are asked of one tree: what a level holds under each name is sorted out at the first question. Lists of
// nodes never change, so the list itself is the key.
const levelIndexes = new WeakMap<readonly SourceNode[], ReadonlyMap<string, readonly SourceNode[]>>()
// Short levels are walked faster than they are indexed.
const fewNodes = 12
const none: readonly SourceNode[] = []

/** Children of that name. */
export function childrenNamed(nodes: readonly SourceNode[], name: string): readonly SourceNode[] {
  if (nodes.length <= fewNodes) return nodes.filter((node) => node.name === name)
  let index = levelIndexes.get(nodes)
  if (index === undefined) {
    index = indexByName(nodes)
    levelIndexes.set(nodes, index)
  }
  return index.get(name) ?? none
}

function indexByName(nodes: readonly SourceNode[]): ReadonlyMap<string, readonly SourceNode[]> {
  const index = new Map<string, SourceNode[]>()
  for (const node of nodes) {
    const same = index.get(node.name)
    if (same === undefined) index.set(node.name, [node])
    else same.push(node)
  }
  return index
}

/** What the `http` block holds; of several, all of it. */
export function httpLevel(nodes: readonly SourceNode[]): readonly SourceNode[] {
  const [only = none, ...more] = childrenNamed(nodes, 'http').map((node) => node.children)
  return more.length === 0 ? only : [only, ...more].flat()
}

/**
 * The directives of a name that are in force in the innermost of these blocks: nginx inherits them from the outer level
 * only where the inner one has none.
 *
 * @param levels - children of http, server, location …, outermost first
 */
export function inForce(levels: readonly (readonly SourceNode[])[], name: string): readonly SourceNode[] {
  for (let at = levels.length - 1; at >= 0; at--) {
    const found = childrenNamed(levels[at] ?? [], name)
    if (found.length > 0) return found
  }
  return []
}
