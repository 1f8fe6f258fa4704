// What the dictionaries of a running nginx would hold for a model, for the twin of our Lua code.

import type { Model } from '../model/model.ts'
import { kubewireLua, type LuaPort } from './lua-port.ts'

/** The Lua of an nginx that serves this model: its certificates and the endpoints of its backends. */
export function modelLua(model: Model): LuaPort {
  const counts = new Map(model.backends.map((backend) => [backend.name, backend.endpoints.length]))
  return kubewireLua({
    hasCertificate: (host) => Object.hasOwn(model.tls.hosts, host),
    endpointCount: (backend) => counts.get(backend),
  })
}
