// The directives of a location: its route, in variables, then its settings. Thousands of locations differ in little: the
// two locations of a Prefix rule hold the same list, and equal directives of neighbours are one node, printed once.

import { type ConfigNode, type Directive, directive, literal } from '../config/node.ts'
import type { Route } from '../model/location.ts'

/** Names and values, in the order of the file. */
type Variables = readonly (readonly [name: string, value: string])[]

/** The location that was made last. */
export interface Neighbour {
  last:
    | {
        readonly route: Route
        readonly settings: readonly ConfigNode[]
        readonly variables: Variables
        readonly sets: readonly Directive[]
        readonly nodes: readonly ConfigNode[]
      }
    | undefined
}

/** One `set` for each variable of the route, then the settings. */
export function withRoute(
  route: Route,
  settings: readonly ConfigNode[],
  variablesOf: (route: Route) => Variables,
  neighbour: Neighbour,
): readonly ConfigNode[] {
  const { last } = neighbour
  if (last !== undefined && last.settings === settings && isSameRoute(last.route, route)) return last.nodes
  const variables = variablesOf(route)
  const sets = variables.map(([name, value], at) => {
    const known = last?.variables[at]?.[1] === value ? last.sets[at] : undefined
    return known ?? directive('set', `$${name}`, literal(value))
  })
  const nodes = [...sets, ...settings]
  neighbour.last = { route, settings, variables, sets, nodes }
  return nodes
}

// How the path is matched is no variable.
function isSameRoute(a: Route, b: Route): boolean {
  return (
    a.ingress === b.ingress &&
    a.rulePath === b.rulePath &&
    a.backend === b.backend &&
    a.serviceName === b.serviceName &&
    a.servicePort === b.servicePort
  )
}
