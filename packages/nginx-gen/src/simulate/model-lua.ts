// What the dictionaries of a running nginx would hold for a model, for the twin of our Lua code.

import type { Model } from '../model/model.ts'
import type { RouteLookup } from '../routes/match.ts'
import { kubewireLua, type LuaPort } from './lua-port.ts'

const known = new WeakMap<Model, LuaPort>()

/** The Lua of an nginx that serves this model: its certificates and the endpoints of its backends. */
export function modelLua(model: Model): LuaPort {
  const lua = known.get(model) ?? readModel(model)
  known.set(model, lua)
  return lua
}

/** The same where hosts are data. */
export function routedLua(model: Model, routes: RouteLookup): LuaPort {
  return readModel(model, routes)
}

function readModel(model: Model, routes?: RouteLookup): LuaPort {
  const counts = new Map(model.backends.map((backend) => [backend.name, backend.endpoints.length]))
  return kubewireLua({
    hasCertificate: (host) => Object.hasOwn(model.tls.hosts, host),
    endpointCount: (backend) => counts.get(backend),
    ...(routes === undefined ? {} : { routes }),
  })
}
