// A request through a configuration tree, phase by phase, as nginx would take it. Knows nginx's rules and nothing of
// ours, so any parsed nginx.conf can be asked. What only a running system knows (backends, passwords) stays open.

import type { ConfigTree } from '../config/node.ts'
import { checkAccess } from './access.ts'
import { addedHeaders, contentOf } from './content.ts'
import type { LuaPort } from './lua-port.ts'
import { matchLocation, readLocation } from './match-location.ts'
import { matchServer } from './match-server.ts'
import { fullRequest, hostName, normalizeTarget, type SimulatedRequest } from './request.ts'
import { type RewriteResult, runRewrite } from './rewrite.ts'
import { childrenNamed, httpLevel, inForce, type SourceNode, sourceTree } from './source-tree.ts'
import type { RequestOutcome, Trace, TraceStep } from './trace.ts'
import { expand, type RequestState } from './variables.ts'

/** What a simulation may ask besides the tree. */
export interface SimulateOptions {
  /** Stands in for Lua blocks; without it they do nothing. */
  readonly lua?: LuaPort
}

/**
 * Takes one request through a tree: listener, server, rewrite, location, access, content, error pages.
 *
 * @returns a trace whose outcome is nginx's own answer or the request that a backend gets
 * @see nginx "How nginx processes a request"; ngx_http_core_module phases
 */
export function simulateRequest(tree: ConfigTree, request: SimulatedRequest, options: SimulateOptions = {}): Trace {
  return simulateSource(sourceTree(tree), request, options)
}

/** The same for a tree that was read before, when many requests are asked. */
export function simulateSource(
  nodes: readonly SourceNode[],
  request: SimulatedRequest,
  options: SimulateOptions = {},
): Trace {
  const full = fullRequest(request)
  const http = httpLevel(nodes)
  const steps: TraceStep[] = []
  const matched = matchServer(http, full)
  if (matched === undefined) {
    steps.push({ phase: 'listen', node: undefined, what: `nothing listens on port ${full.port}` })
    return emptyTrace(steps, { kind: 'refused' })
  }
  const { server } = matched
  steps.push({ phase: 'server', node: server, what: `server ${matched.serverName || '""'}`, why: matched.why })
  const mergesSlashes = inForce([http, server.children], 'merge_slashes')[0]?.args[0] !== 'off'
  const target = normalizeTarget(full.target, mergesSlashes)
  if (target === undefined) return emptyTrace(steps, { kind: 'answer', status: 400 })
  const state: RequestState = {
    request: full,
    http,
    serverName: matched.serverName,
    uri: target.uri,
    wasRewritten: false,
    args: target.args,
    captures: matched.captures,
    values: new Map(matched.captures),
    unknown: new Set(),
  }
  const run: Run = { state, http, server, steps, options, location: [], levels: [http, server.children] }
  const outcome = errorPages(run, runServer(run), 0)
  const status = outcome.kind === 'answer' ? outcome.status : undefined
  return {
    steps,
    server,
    location: run.location,
    outcome,
    responseHeaders: addedHeaders(run.levels, status, state),
    variables: Object.fromEntries([...state.values].sort()),
    unknownVariables: [...state.unknown].sort(),
  }
}

interface Run {
  readonly state: RequestState
  readonly http: readonly SourceNode[]
  readonly server: SourceNode
  readonly steps: TraceStep[]
  readonly options: SimulateOptions
  location: readonly SourceNode[]
  levels: readonly (readonly SourceNode[])[]
}

function runServer(run: Run): RequestOutcome {
  const result = rewriteLevel(run, run.server.children)
  if (result.kind === 'return') return answer(run, result)
  return runLocations(run)
}

// An `if` block that holds is a location of its own: its settings are in force from there on.
function rewriteLevel(run: Run, level: readonly SourceNode[]): RewriteResult {
  const result = runRewrite(level, run.state, tellRewrite(run))
  run.levels = [...run.levels, ...result.ifBlocks.slice(-1).map((block) => block.children)]
  return result
}

// nginx gives up after ten rewrites to another location (500).
const mostRewrites = 10

function runLocations(run: Run): RequestOutcome {
  for (let round = 0; round <= mostRewrites; round++) {
    const match = matchLocation(run.server.children, run.state.uri)
    if (match === undefined) {
      run.steps.push({ phase: 'location', node: run.server, what: 'no location matches; the server answers' })
      return runContent(run, undefined)
    }
    const node = match.path.at(-1) as SourceNode
    enter(run, match.path)
    run.steps.push({ phase: 'location', node, what: `location ${node.args.join(' ')}`, why: match.why })
    const internal = childrenNamed(node.children, 'internal')[0]
    if (internal !== undefined && !run.state.wasRewritten) {
      run.steps.push({ phase: 'location', node: internal, what: 'answers 404: clients do not reach this location' })
      return { kind: 'answer', status: 404 }
    }
    if (match.redirectsToSlash) {
      const query = run.state.args === '' ? '' : `?${run.state.args}`
      return { kind: 'answer', status: 301, location: absolute(run, `${run.state.uri}/${query}`) }
    }
    if (match.captures.size > 0) {
      run.state.captures = match.captures
      for (const [name, text] of match.captures) if (!/^\d/.test(name)) run.state.values.set(name, text)
    }
    const result = rewriteLevel(run, node.children)
    if (result.kind === 'return') return answer(run, result)
    if (!result.uriChanged) return runContent(run, node)
  }
  return { kind: 'answer', status: 500 }
}

function enter(run: Run, path: readonly SourceNode[]): void {
  run.location = path
  run.levels = [run.http, run.server.children, ...path.map((node) => node.children)]
}

function runContent(run: Run, location: SourceNode | undefined): RequestOutcome {
  const { state, steps, levels } = run
  const script = inForce(levels, 'rewrite_by_lua_block')[0]
  const said = script === undefined ? undefined : run.options.lua?.(script.code ?? '', state)
  if (script !== undefined && said !== undefined) {
    steps.push({ phase: 'rewrite', node: script, what: said.what })
    if (said.kind === 'answer') return { kind: 'answer', status: said.status, ...locationOf(said.location) }
    if (said.kind === 'enter') return enterNamed(run, said.location)
  }
  const access = checkAccess(levels, state)
  for (const { node, what, verdict } of access.checks)
    steps.push({ phase: 'access', node, what: `${verdict}: ${what}` })
  if (access.status !== undefined) return { kind: 'answer', status: access.status }
  const text = location === undefined ? undefined : readLocation(location).text
  const { node, outcome } = contentOf(levels, text, state)
  steps.push({
    phase: 'content',
    node,
    what: outcome.kind === 'proxy' ? `goes to ${outcome.upstream}` : 'answers here',
  })
  return outcome
}

// `error_page 404 = @named` or a URI: the answer is made again by that location, once per page.
function errorPages(run: Run, outcome: RequestOutcome, depth: number): RequestOutcome {
  if (outcome.kind !== 'answer' || outcome.status < 300 || depth > 0) return outcome
  for (const node of inForce(run.levels, 'error_page')) {
    const target = node.args.at(-1) ?? ''
    const codes = node.args.slice(0, -1).filter((arg) => !arg.startsWith('='))
    if (!codes.includes(String(outcome.status))) continue
    const changed = node.args.find((arg) => arg.startsWith('='))
    run.steps.push({ phase: 'error-page', node, what: `${outcome.status} is answered by ${target}` })
    const made = errorPageOutcome(run, expand(target, run.state), outcome)
    if (made.kind === 'answer' && changed === undefined && made.status < 300) return { ...made, status: outcome.status }
    return errorPages(run, made, depth + 1)
  }
  return outcome
}

function errorPageOutcome(run: Run, target: string, outcome: RequestOutcome): RequestOutcome {
  if (target.startsWith('@')) return enterNamed(run, target)
  if (!target.startsWith('/')) return { kind: 'answer', status: 302, location: target }
  run.state.uri = target.split('?')[0] ?? target
  run.state.wasRewritten = true
  const made = runLocations(run)
  return made.kind === 'answer' && made.status === 404 ? outcome : made
}

function enterNamed(run: Run, name: string): RequestOutcome {
  const named = childrenNamed(run.server.children, 'location').find((node) => node.args[0] === name)
  if (named === undefined) return { kind: 'answer', status: 500 }
  enter(run, [named])
  const result = rewriteLevel(run, named.children)
  if (result.kind === 'return') return answer(run, result)
  return runContent(run, named)
}

function answer(
  run: Run,
  result: { readonly status: number; readonly text: string | undefined; readonly node: SourceNode },
): RequestOutcome {
  run.steps.push({ phase: 'rewrite', node: result.node, what: `answers ${result.status}` })
  const isRedirect = [301, 302, 303, 307, 308].includes(result.status)
  if (result.text === undefined) return { kind: 'answer', status: result.status }
  return isRedirect
    ? { kind: 'answer', status: result.status, location: absolute(run, result.text) }
    : { kind: 'answer', status: result.status, body: result.text }
}

// A redirect to a path gets scheme, host and port in front (ngx_http_header_filter): the host as nginx holds it, the port
// where it is not the scheme's own.
function absolute({ state, levels }: Run, target: string): string {
  const isOff = (name: string): boolean => inForce(levels, name)[0]?.args[0] === 'off'
  if (!target.startsWith('/') || isOff('absolute_redirect')) return target
  const { scheme, port, host } = state.request
  const isUsual = port === (scheme === 'https' ? 443 : 80)
  const name = inForce(levels, 'server_name_in_redirect')[0]?.args[0] === 'on' ? state.serverName : hostName(host)
  return `${scheme}://${name}${isUsual || isOff('port_in_redirect') ? '' : `:${port}`}${target}`
}

function tellRewrite(run: Run): (node: SourceNode, what: string) => void {
  return (node, what) => run.steps.push({ phase: 'rewrite', node, what })
}

function locationOf(location: string | undefined): { readonly location?: string } {
  return location === undefined ? {} : { location }
}

function emptyTrace(steps: readonly TraceStep[], outcome: RequestOutcome): Trace {
  return { steps, server: undefined, location: [], outcome, responseHeaders: {}, variables: {}, unknownVariables: [] }
}
