// Requests of a case through the simulator instead of nginx: what the rendered tree alone decides is compared, the rest
// is skipped with its reason. A disagreement is a bug of the simulator or of the configuration.

import type { ProbeResult } from '@kubewire/kube-model/cases'
import { printOutcome } from '../explain.ts'
import { defaultBackendName } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import type { LuaPort } from '../simulate/lua-port.ts'
import { modelLua } from '../simulate/model-lua.ts'
import { simulateSource } from '../simulate/run.ts'
import type { SourceNode } from '../simulate/source-tree.ts'
import type { RequestOutcome, Trace } from '../simulate/trace.ts'
import { fits } from './fits.ts'
import type { BackendSpec, ExpectSpec, RequestSpec } from './ingress-case.ts'

/** What the requests of a case are asked about. */
export interface SimulatedWorld {
  readonly tree: readonly SourceNode[]
  readonly model: Model
  /** Stands in for Lua; the model's own unless given. */
  readonly lua?: LuaPort
  readonly backends: readonly BackendSpec[]
}

/** One request in process. */
export function simulateProbe(probe: string, spec: RequestSpec, world: SimulatedWorld): ProbeResult {
  const reason = whyNot(spec)
  if (reason !== undefined) return { probe, outcome: 'skipped', detail: reason }
  const { model } = world
  const trace = simulateSource(
    world.tree,
    {
      host: spec.host ?? '127.0.0.1',
      path: spec.path ?? '/',
      method: spec.method ?? 'GET',
      headers: { Accept: '*/*', ...spec.headers },
      ...(spec.scheme === undefined ? {} : { scheme: spec.scheme }),
      ...(spec.client === undefined ? {} : { clientAddress: spec.client }),
    },
    { lua: world.lua ?? modelLua(model) },
  )
  const open = whatIsOpen(trace, spec, world)
  if (open !== undefined) return { probe, outcome: 'skipped', detail: open }
  const complaints = complaintsOf(spec.expect ?? {}, trace.outcome, world)
  if (complaints.length === 0) return { probe, outcome: 'passed' }
  return { probe, outcome: 'failed', detail: `${complaints.join('\n')}\nsimulated: ${printOutcome(trace.outcome)}` }
}

// Kinds of probes that only running parts can answer.
function whyNot(spec: RequestSpec): string | undefined {
  if (spec.tcp !== undefined || spec.udp !== undefined) return 'stream services need a running nginx'
  if (spec.jar !== undefined || spec.repeat !== undefined) return 'counts and cookies need a running nginx'
  if (spec.clientCert !== undefined || spec.sni !== undefined) return 'the TLS handshake needs a running nginx'
  if (spec.bodySize !== undefined) return 'sizes need a running nginx'
  return undefined
}

// What the tree alone does not decide.
function whatIsOpen(trace: Trace, spec: RequestSpec, { model }: SimulatedWorld): string | undefined {
  if (trace.server?.children.some((node) => node.name === 'ssl_verify_client')) return 'the TLS handshake decides'
  if (trace.steps.some(({ phase, what }) => phase === 'access' && what.startsWith('unknown')))
    return 'an authentication decides'
  if (trace.outcome.kind === 'other') return `${trace.outcome.by} answers`
  if (trace.outcome.kind !== 'proxy') return undefined
  const { upstream } = trace.outcome
  const backend = model.backends.find((one) => one.name === upstream)
  if (backend === undefined) return 'the target is no backend'
  const isTold = Object.keys(spec.headers ?? {}).some((name) => name.toLowerCase() === 'x-echo-status')
  if (isTold && trace.location.length > 0) return 'the answer of the backend decides'
  if (backend.alternatives.length > 0) return 'a canary decides'
  return undefined
}

function complaintsOf(expect: ExpectSpec, outcome: RequestOutcome, world: SimulatedWorld): string[] {
  const complaints: string[] = []
  const status = outcome.kind === 'answer' ? outcome.status : echoStatus(outcome, world)
  const wanted = expect.status
  if (wanted !== undefined && wanted !== null && status !== undefined) {
    const isRight = typeof wanted === 'string' ? fits(wanted, String(status)) : [wanted].flat().includes(status)
    if (!isRight) complaints.push(`status: expected ${JSON.stringify(wanted)}, found ${status}`)
  }
  if (expect.location !== undefined && outcome.kind === 'answer' && !fits(expect.location, outcome.location)) {
    complaints.push(`location: expected ${expect.location}, found ${outcome.location}`)
  }
  if (outcome.kind !== 'proxy') {
    if (expect.backend !== undefined) complaints.push(`backend: expected ${expect.backend}, found none`)
    return complaints
  }
  const names = namesOf(outcome.upstream, world)
  if (expect.backend !== undefined && !names.includes(expect.backend)) {
    complaints.push(`backend: expected ${expect.backend}, found ${names.join(' or ') || 'none'}`)
  }
  const path = expect.upstream?.path
  if (path !== undefined && !fits(path, outcome.path))
    complaints.push(`upstream path: expected ${path}, found ${outcome.path}`)
  return complaints
}

// An echo answers 200; other servers are left to the real run. A scenario without backends of its own takes every
// endpoint for an echo.
function echoStatus(outcome: RequestOutcome, world: SimulatedWorld): number | undefined {
  if (outcome.kind !== 'proxy') return undefined
  const backend = world.model.backends.find(({ name }) => name === outcome.upstream)
  if (outcome.upstream === defaultBackendName && backend?.service === undefined) return 404
  return echoNames(outcome.upstream, world).length === 0 ? undefined : 200
}

// What a backend may be called: its echo servers, the Service (`shop/tea`, `shop/tea:http`), the upstream itself.
function namesOf(upstream: string, world: SimulatedWorld): readonly string[] {
  const { service, port } = world.model.backends.find((one) => one.name === upstream) ?? {}
  const key = service === undefined ? [] : [`${service.namespace}/${service.name}`]
  return [
    ...(world.backends.length === 0 ? [] : echoNames(upstream, world)),
    ...key,
    ...key.map((name) => `${name}:${port}`),
    upstream,
  ]
}

function echoNames(upstream: string, { model, backends }: SimulatedWorld): readonly string[] {
  const endpoints = model.backends.find((one) => one.name === upstream)?.endpoints ?? []
  if (backends.length === 0) return endpoints.map(({ address }) => address)
  return endpoints.flatMap(({ address, port }) =>
    backends
      .filter((one) => one.address === address && one.port === port && (one.role ?? 'echo') === 'echo')
      .map(({ name }) => name),
  )
}
