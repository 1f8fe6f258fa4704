// The same model in both enclosures answers the same: hosts as servers of a tree, and hosts as data for the router's twin.
// The simulator is asked both times; routes.kernel.ts asks nginx.

import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import {
  kubewireLua,
  lookupIn,
  type Model,
  renderConfig,
  renderRouted,
  type SourceNode,
  simulateSource,
  sourceTree,
  type Trace,
  translateIngresses,
} from '@kubewire/nginx-gen'
import { expect, it } from 'vitest'
import { createRandom, randomObjects, randomRequests, type WorldRequest } from './random-world.ts'

const seeds = Array.from({ length: 100 }, (_, at) => at + 1)

it('the router answers what servers answer, for random clusters and requests', () => {
  let routedHosts = 0
  for (const seed of seeds) {
    const random = createRandom(seed)
    const objects = randomObjects(random)
    const { value: model } = translateIngresses(snapshotOf(objects), { watchWithoutClass: true })
    const routed = renderRouted(model)
    routedHosts += routed.hosts.filter(({ kind }) => kind === 'routed').length
    const asServers = createAsker(sourceTree(renderConfig(model)), model, undefined)
    const asData = createAsker(sourceTree(routed.tree), model, lookupIn(routed.table))
    for (const request of randomRequests(random, 60)) {
      if (request.bodySize > 0) continue
      expect(said(asData(request)), `seed ${seed}: ${JSON.stringify(request)} to ${describe(objects)}`).toEqual(
        said(asServers(request)),
      )
    }
  }
  expect(routedHosts).toBeGreaterThan(seeds.length)
}, 60_000)

type Asker = (request: WorldRequest) => Trace

function createAsker(
  tree: readonly SourceNode[],
  model: Model,
  routes: ReturnType<typeof lookupIn> | undefined,
): Asker {
  const counts = new Map(model.backends.map(({ name, endpoints }) => [name, endpoints.length]))
  const lua = kubewireLua({
    hasCertificate: (host) => Object.hasOwn(model.tls.hosts, host),
    endpointCount: (name) => counts.get(name),
    ...(routes === undefined ? {} : { routes }),
  })
  return ({ host, path, method, headers }) => simulateSource(tree, { host, path, method, headers }, { lua })
}

// What a client and a backend see, and what logs and metrics say.
function said({ outcome, responseHeaders, variables }: Trace): unknown {
  const names = ['namespace', 'ingress_name', 'service_name', 'service_port', 'location_path', 'proxy_upstream_name']
  const labels = Object.fromEntries(names.map((name) => [name, variables[name] ?? '']))
  return { outcome, responseHeaders, ...(outcome.kind === 'proxy' ? { labels } : {}) }
}

function describe(objects: readonly KubeObject[]): string {
  return JSON.stringify(objects.filter(({ kind }) => kind === 'Ingress'))
}
