// Which server answers: first by the listener, then by name.
// Source: nginx "How nginx processes a request", ngx_http_core_module server_name.

import { capturesOf, compilePattern } from './pattern.ts'
import { type FullRequest, hostName } from './request.ts'
import { childrenNamed, type SourceNode } from './source-tree.ts'

/** The chosen server and the rule that chose it. */
export interface ServerMatch {
  readonly server: SourceNode
  readonly why: string
  /** The name that matched, as nginx's `$server_name` has the first one. */
  readonly serverName: string
  readonly captures: ReadonlyMap<string, string>
}

/** The server block that answers, `undefined` when nothing listens on the port. */
export function matchServer(http: readonly SourceNode[], request: FullRequest): ServerMatch | undefined {
  const listener = listenerOn(http, request.port)
  if (listener === undefined) return undefined
  const host = hostName(request.host)
  const exact = listener.exact.get(host)
  if (exact !== undefined) return found(exact.server, `server_name ${exact.name} is the host`)
  const matched = wildcard(listener.wildcards, host) ?? expression(listener.expressions, host)
  if (matched !== undefined) return matched
  const { server, isDefault } = listener.fallback
  const why = isDefault ? 'no name matches; it is the default server' : 'no name matches; it is the first'
  return { server, why, serverName: firstName(server), captures: new Map() }
}

interface NamedServer {
  readonly server: SourceNode
  readonly name: string
}

/** The servers of one port, sorted by what their names are. */
interface Listener {
  readonly exact: ReadonlyMap<string, NamedServer>
  readonly wildcards: readonly NamedServer[]
  readonly expressions: readonly NamedServer[]
  readonly fallback: { readonly server: SourceNode; readonly isDefault: boolean }
}

// As nginx builds its hashes: once for a configuration, not once for a request.
const listeners = new WeakMap<readonly SourceNode[], Map<number, Listener | undefined>>()

function listenerOn(http: readonly SourceNode[], port: number): Listener | undefined {
  const ofPorts = listeners.get(http) ?? new Map<number, Listener | undefined>()
  listeners.set(http, ofPorts)
  if (!ofPorts.has(port)) ofPorts.set(port, readListener(http, port))
  return ofPorts.get(port)
}

function readListener(http: readonly SourceNode[], port: number): Listener | undefined {
  const servers = childrenNamed(http, 'server').filter((server) => listensOn(server, port))
  const [first] = servers
  if (first === undefined) return undefined
  const chosen = servers.find((server) => isDefault(server, port))
  const named = servers.flatMap((server) => namesOf(server).map((name): NamedServer => ({ server, name })))
  const exact = new Map<string, NamedServer>()
  for (const one of named) {
    // `.example.org` is the name itself, too.
    const host = one.name.replace(/^\./, '').toLowerCase()
    if (!exact.has(host)) exact.set(host, one)
  }
  return {
    exact,
    wildcards: named.filter(({ name }) => leadingLabel(name) !== undefined || closingLabel(name) !== undefined),
    expressions: named.filter(({ name }) => name.startsWith('~')),
    fallback: { server: chosen ?? first, isDefault: chosen !== undefined },
  }
}

/** The first `server_name`, or the empty text. */
function firstName(server: SourceNode): string {
  return namesOf(server)[0] ?? ''
}

function namesOf(server: SourceNode): readonly string[] {
  return childrenNamed(server.children, 'server_name').flatMap((node) => node.args)
}

function listensOn(server: SourceNode, port: number): boolean {
  const listens = childrenNamed(server.children, 'listen')
  // A server without `listen` listens on port 80 (as root).
  if (listens.length === 0) return port === 80
  return listens.some((listen) => listenPort(listen) === port)
}

function isDefault(server: SourceNode, port: number): boolean {
  return childrenNamed(server.children, 'listen').some(
    (listen) =>
      listenPort(listen) === port && (listen.args.includes('default_server') || listen.args.includes('default')),
  )
}

function listenPort(listen: SourceNode): number | undefined {
  const address = listen.args[0] ?? ''
  if (address.startsWith('unix:')) return undefined
  if (/^\d+$/.test(address)) return Number(address)
  const port = /:(\d+)$/.exec(address)?.[1]
  return port === undefined ? 80 : Number(port)
}

// The longest name with a leading asterisk, then the longest with a closing one.
function wildcard(names: readonly NamedServer[], host: string): ServerMatch | undefined {
  for (const side of [leadingLabel, closingLabel]) {
    let best: NamedServer | undefined
    for (const one of names) {
      const fixed = side(one.name.toLowerCase())
      if (fixed === undefined || (best !== undefined && one.name.length <= best.name.length)) continue
      const matches = side === leadingLabel ? host.endsWith(fixed) : host.startsWith(fixed)
      if (matches && host.length > fixed.length) best = one
    }
    if (best !== undefined) return found(best.server, `server_name ${best.name} is the longest wildcard that matches`)
  }
  return undefined
}

function leadingLabel(name: string): string | undefined {
  if (name.startsWith('*.')) return name.slice(1)
  return name.startsWith('.') ? name : undefined
}

function closingLabel(name: string): string | undefined {
  return name.endsWith('.*') ? name.slice(0, -1) : undefined
}

function expression(names: readonly NamedServer[], host: string): ServerMatch | undefined {
  for (const { server, name } of names) {
    // nginx compares expressions of server names without regard to case.
    const match = compilePattern(name.slice(1), true)?.exec(host)
    if (match) return { ...found(server, `server_name ${name} matches`), captures: capturesOf(match) }
  }
  return undefined
}

function found(server: SourceNode, why: string): ServerMatch {
  return { server, why, serverName: firstName(server), captures: new Map() }
}
