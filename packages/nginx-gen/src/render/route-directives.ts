// The directives of a location: its route, in variables, then its settings. Thousands of locations differ in little: the
// two locations of a Prefix rule hold the same list, and equal directives of neighbours are one node, printed once.

import { type ConfigNode, type Directive, directive, literal } from '../config/node.ts'
import type { Route } from '../model/location.ts'
import { oncePerObject } from '../translate/once-per-object.ts'

/** Names and values, in the order of the file. */
type Variables = readonly (readonly [name: string, value: string])[]

/** One `set` for each variable of the route, then the settings. */
export function withRoute(
  route: Route,
  settings: readonly ConfigNode[],
  variablesOf: (route: Route) => Variables,
): readonly ConfigNode[] {
  const neighbours = route.ingress === undefined ? undefined : neighboursOf(route.ingress)
  const last = neighbours?.last
  if (last !== undefined && last.settings === settings && isSameRoute(last.route, route)) return last.nodes
  const variables = variablesOf(route)
  const sets = variables.map(([name, value], at) => {
    const known = last?.variables[at]?.[1] === value ? last.sets[at] : undefined
    return known ?? directive('set', `$${name}`, literal(value))
  })
  const nodes = [...sets, ...settings]
  if (neighbours !== undefined) neighbours.last = { route, settings, variables, sets, nodes }
  return nodes
}

/** What was made last for an Ingress. */
interface Made {
  readonly route: Route
  readonly settings: readonly ConfigNode[]
  readonly variables: Variables
  readonly sets: readonly Directive[]
  readonly nodes: readonly ConfigNode[]
}

const neighboursOf = oncePerObject((_ingress: NonNullable<Route['ingress']>): { last: Made | undefined } => ({
  last: undefined,
}))

// Of one Ingress; how the path is matched is no variable.
function isSameRoute(a: Route, b: Route): boolean {
  return (
    a.rulePath === b.rulePath &&
    a.backend === b.backend &&
    a.serviceName === b.serviceName &&
    a.servicePort === b.servicePort
  )
}
