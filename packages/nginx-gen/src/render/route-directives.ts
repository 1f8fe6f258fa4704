// The directives of a location: its route, in variables, then its settings. Thousands of locations differ in little: the
// two locations of a Prefix rule hold the same list, and equal directives of neighbours are one node, printed once.

import { type ConfigNode, type Directive, literal, type TextArgument, word } from '../config/node.ts'
import type { Route } from '../model/location.ts'

/** A variable of a location's route. */
export interface RouteVariable {
  readonly name: string
  readonly of: (route: Route) => string
}

/** The location that was made last. */
export interface Neighbour {
  last:
    | {
        readonly route: Route
        readonly settings: readonly ConfigNode[]
        readonly sets: readonly Directive[]
        readonly nodes: readonly ConfigNode[]
      }
    | undefined
}

/** One `set` for each variable of the route, then the settings. */
export function withRoute(
  route: Route,
  settings: readonly ConfigNode[],
  variables: readonly RouteVariable[],
  neighbour: Neighbour,
): readonly ConfigNode[] {
  const { last } = neighbour
  if (last !== undefined && last.settings === settings && isSameRoute(last.route, route)) return last.nodes
  const sets: Directive[] = []
  for (const [at, variable] of variables.entries()) {
    const value = variable.of(route)
    const isKnown = last !== undefined && variable.of(last.route) === value
    sets.push(isKnown ? (last.sets[at] as Directive) : setVariable(variable, value))
  }
  const nodes = [...sets, ...settings]
  neighbour.last = { route, settings, sets, nodes }
  return nodes
}

// There is one for nearly every location: its name is one argument for all of them.
function setVariable(variable: RouteVariable, value: string): Directive {
  let name = names.get(variable)
  if (name === undefined) {
    name = word(`$${variable.name}`)
    names.set(variable, name)
  }
  return { kind: 'directive', name: 'set', args: [name, literal(value)] }
}

const names = new WeakMap<RouteVariable, TextArgument>()

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
