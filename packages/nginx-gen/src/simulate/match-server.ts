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
  const listening = childrenNamed(http, 'server').filter((server) => listensOn(server, request.port))
  if (listening.length === 0) return undefined
  const host = hostName(request.host)
  const found = exact(listening, host) ?? wildcard(listening, host) ?? expression(listening, host)
  if (found !== undefined) return found
  const chosen = listening.find((server) => isDefault(server, request.port)) ?? listening[0]
  const server = chosen as SourceNode
  const why = isDefault(server, request.port)
    ? 'no name matches; it is the default server'
    : 'no name matches; it is the first'
  return { server, why, serverName: firstName(server), captures: new Map() }
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

function exact(servers: readonly SourceNode[], host: string): ServerMatch | undefined {
  for (const server of servers) {
    for (const name of namesOf(server)) {
      const isDotted = name.startsWith('.') && name.slice(1).toLowerCase() === host
      if (isDotted || name.toLowerCase() === host) return found(server, `server_name ${name} is the host`)
    }
  }
  return undefined
}

// The longest name with a leading asterisk, then the longest with a closing one.
function wildcard(servers: readonly SourceNode[], host: string): ServerMatch | undefined {
  for (const side of [leadingLabel, closingLabel]) {
    let best: { readonly server: SourceNode; readonly name: string } | undefined
    for (const server of servers) {
      for (const name of namesOf(server)) {
        const fixed = side(name.toLowerCase())
        if (fixed === undefined || (best !== undefined && name.length <= best.name.length)) continue
        const matches = side === leadingLabel ? host.endsWith(fixed) : host.startsWith(fixed)
        if (matches && host.length > fixed.length) best = { server, name }
      }
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

function expression(servers: readonly SourceNode[], host: string): ServerMatch | undefined {
  for (const server of servers) {
    for (const name of namesOf(server)) {
      if (!name.startsWith('~')) continue
      // nginx compares expressions of server names without regard to case.
      const match = compilePattern(name.slice(1), true)?.exec(host)
      if (match) return { ...found(server, `server_name ${name} matches`), captures: capturesOf(match) }
    }
  }
  return undefined
}

function found(server: SourceNode, why: string): ServerMatch {
  return { server, why, serverName: firstName(server), captures: new Map() }
}
