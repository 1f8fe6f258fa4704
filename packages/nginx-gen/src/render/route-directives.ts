// The directives that set the variables of a route. Thousands of locations differ in little: equal directives of one
// Ingress are one node, made once and printed once.

import { type Directive, directive, literal } from '../config/node.ts'
import type { Route } from '../model/location.ts'
import { oncePerObject } from '../translate/once-per-object.ts'

/** Names and values, in the order of the file. */
type Variables = readonly (readonly [name: string, value: string])[]

/** One `set` for each variable of the route. */
export function routeDirectives(route: Route, variablesOf: (route: Route) => Variables): readonly Directive[] {
  if (route.ingress === undefined) return variablesOf(route).map(([name, value]) => setTo(name, value))
  const known = knownOf(route.ingress)
  const key = `${route.backend}\0${route.serviceName}\0${route.servicePort}\0${route.rulePath}`
  const found = known.byRoute.get(key)
  if (found !== undefined) return found
  const nodes = variablesOf(route).map(([name, value], at) => {
    const last = known.last?.[at]
    return last?.value === value ? last : { value, node: setTo(name, value) }
  })
  known.last = nodes
  const made = nodes.map(({ node }) => node)
  known.byRoute.set(key, made)
  return made
}

interface Known {
  readonly byRoute: Map<string, readonly Directive[]>
  last: readonly { readonly value: string; readonly node: Directive }[] | undefined
}

const knownOf = oncePerObject(
  (_ingress: NonNullable<Route['ingress']>): Known => ({ byRoute: new Map(), last: undefined }),
)

function setTo(name: string, value: string): Directive {
  return directive('set', `$${name}`, literal(value))
}
