// One request through the configuration that a model means, with what the data plane would hold.

import {
  type Model,
  modelLua,
  renderConfig,
  type SimulatedRequest,
  type SourceNode,
  simulateSource,
  sourceTree,
  type Trace,
} from '@kubewire/nginx-gen'

/** Asks the rendered configuration of a model; `nodes` where it was rendered and read before, for many requests. */
export function simulateIngress(
  model: Model,
  request: SimulatedRequest,
  nodes: readonly SourceNode[] = sourceTree(renderConfig(model)),
): Trace {
  return simulateSource(nodes, request, { lua: modelLua(model) })
}
