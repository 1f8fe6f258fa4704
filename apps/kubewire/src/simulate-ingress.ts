// One request through the configuration that a model means, with what the data plane would hold.

import {
  type ConfigTree,
  kubewireLua,
  type Model,
  renderConfig,
  type SimulatedRequest,
  simulateRequest,
  type Trace,
} from '@kubewire/nginx-gen'

/** Asks the rendered configuration of a model; `tree` where it was rendered before. */
export function simulateIngress(
  model: Model,
  request: SimulatedRequest,
  tree: ConfigTree = renderConfig(model),
): Trace {
  const counts = new Map(model.backends.map((backend) => [backend.name, backend.endpoints.length]))
  const lua = kubewireLua({
    hasCertificate: (host) => Object.hasOwn(model.tls.hosts, host),
    endpointCount: (backend) => counts.get(backend),
  })
  return simulateRequest(tree, request, { lua })
}
