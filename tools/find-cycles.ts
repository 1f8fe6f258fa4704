// Cycles of a directed graph (Tarjan's strongly connected components, without recursion limits to worry about at the
// size of a repository).

/** One list of nodes per cycle, starting with the smallest name; nodes without a cycle do not appear. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    const at = index.size
    index.set(node, at)
    let lowest = at
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? lowest)
    }
    if (lowest === at) {
      const members = stack.splice(stack.indexOf(node)).sort()
      if (members.length > 1 || edges.get(node)?.includes(node)) cycles.push(members)
    }
    return lowest
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return cycles
}
