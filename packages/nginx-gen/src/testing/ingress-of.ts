// The front of some objects for tests: the configuration of their Ingresses, and what it does with a request.

import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import type { Model } from '../model/model.ts'
import { renderConfig } from '../render/render.ts'
import { modelLua } from '../simulate/model-lua.ts'
import type { SimulatedRequest } from '../simulate/request.ts'
import { simulateSource } from '../simulate/run.ts'
import { sourceTree } from '../simulate/source-tree.ts'
import type { Trace } from '../simulate/trace.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { translateIngresses } from '../translate/translate.ts'
import { readRequest } from './read-request.ts'

/** Serves requests as an ingress controller with these objects would; no network. */
export interface IngressUnderTest {
  readonly model: Model
  /** What becomes of `[METHOD ][http[s]://]host/path`. */
  request(request: string | SimulatedRequest): Trace
}

/**
 * The controller over objects.
 *
 * @example
 * const trace = ingressOf(objects).request('GET https://shop.example.org/tea')
 */
export function ingressOf(objects: readonly KubeObject[], options: Partial<ControllerOptions> = {}): IngressUnderTest {
  const { value: model } = translateIngresses(snapshotOf(objects), options)
  const tree = sourceTree(renderConfig(model))
  const lua = modelLua(model)
  return { model, request: (request) => simulateSource(tree, readRequest(request), { lua }) }
}
