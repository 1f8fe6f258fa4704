// Hosts as data in words: each host with its paths and where they go, the classes of settings that they enter, and which
// hosts keep a server block and why.

import {
  type ConfigNode,
  type ConfigTree,
  type HostEntry,
  type HostRoutes,
  lookupIn,
  printConfig,
  type RoutedConfig,
  type RouteEntry,
} from '@kubewire/nginx-gen'

/** The hosts, then the classes and server blocks; of one host where it is given. */
export function printRoutes(routed: RoutedConfig, host: string | undefined): string {
  const lookup = lookupIn(routed.table)
  const names = Object.keys(routed.table).filter((name) => host === undefined || name === host)
  const entries = names.flatMap((name) => {
    const entry = lookup(name)
    return entry === undefined ? [] : [{ name, entry }]
  })
  const own = routed.hosts.flatMap((plan) =>
    plan.kind === 'static' && (host === undefined || plan.host === host) ? [plan] : [],
  )
  const classes = new Set(entries.flatMap(({ entry }) => classesOf(entry.kind === 'alias' ? lookup(entry.of) : entry)))
  return [
    ...entries.map(({ name, entry }) => printHost(name, entry)),
    ...own.map(({ host: name, reason }) => `${name}: a server block of its own, ${reason}\n`),
    ...nodesOf(routed.tree, classes, new Set(own.map((plan) => plan.host))).map((node) => printConfig([node])),
  ].join('\n')
}

function printHost(name: string, entry: HostEntry): string {
  if (entry.kind === 'alias') return `${name}: as ${entry.of}\n`
  if (entry.kind === 'moved') return `${name}: redirects with ${entry.status} to ${printParts(entry.target)}\n`
  const { redirects, exact, prefix, odd, patterns, routes } = entry
  const rows = [
    ...redirects.map(({ path, status, target }) => ['=', path, `${status} ${printParts(target)}`]),
    ...Object.entries(exact).map(([path, at]) => ['=', path, printRoute(routes[at])]),
    ...Object.entries(prefix).map(([path, at]) => ['', path, printRoute(routes[at])]),
    ...odd.map(([path, at]) => ['', path, printRoute(routes[at])]),
    ...patterns.map(({ pattern, route }) => ['~*', pattern, printRoute(routes[route])]),
  ]
  const width = Math.max(...rows.map(([, path = '']) => path.length))
  const lines = rows.map(([how = '', path = '', what = '']) => `  ${how.padEnd(2)} ${path.padEnd(width)}  ${what}`)
  return `${name}\n${lines.join('\n')}\n`
}

function printRoute(route: RouteEntry | undefined): string {
  if (route === undefined) return ''
  const of = (name: string): string => route.set[route.set.indexOf(name) + 1] ?? ''
  const known = ['namespace', 'ingress_name', 'service_name', 'service_port', 'location_path', 'proxy_upstream_name']
  const more = route.set
    .flatMap((name, at) => (at % 2 === 0 && !known.includes(name) ? [`${name}=${route.set[at + 1]}`] : []))
    .concat((route.fill ?? []).map(({ variable, parts }) => `${variable}=${printParts(parts)}`))
  if (route.set.length === 0) return route.class
  return [of('proxy_upstream_name'), route.class, ...more].join('  ')
}

function printParts(parts: HostRoutes['redirects'][number]['target']): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : 'variable' in part ? `$${part.variable}` : `$${part.group}`))
    .join('')
}

function classesOf(entry: HostEntry | undefined): readonly string[] {
  return entry?.kind === 'host' ? entry.routes.map((route) => route.class) : []
}

// Classes are locations of the router's server; hosts that are no data are servers.
function nodesOf(tree: ConfigTree, classes: ReadonlySet<string>, own: ReadonlySet<string>): readonly ConfigNode[] {
  const inHttp = tree.flatMap((node) => (node.kind === 'block' && node.name === 'http' ? node.children : []))
  const servers = inHttp.filter((node) => node.kind === 'block' && node.name === 'server')
  const locations = servers
    .flatMap((node) => (node.kind === 'block' ? node.children : []))
    .filter((node) => node.kind === 'block' && node.name === 'location' && classes.has(firstWord(node)))
  return [...locations, ...servers.filter((node) => own.has(serverNameOf(node)))]
}

function serverNameOf(server: ConfigNode): string {
  const names = server.kind === 'block' ? server.children.find(isServerName) : undefined
  const text = names === undefined ? '' : firstWord(names)
  const wildcard = /^~\^\(\?<subdomain>\[\\w-\]\+\)\\\.(.*)\$$/.exec(text)?.[1]
  return wildcard === undefined ? text : `*.${wildcard.replaceAll('\\.', '.')}`
}

function isServerName(node: ConfigNode): boolean {
  return node.kind === 'directive' && node.name === 'server_name'
}

function firstWord(node: ConfigNode): string {
  const arg = node.kind === 'block' || node.kind === 'directive' ? node.args[0] : undefined
  return arg === undefined || arg.kind === 'list' ? '' : arg.text
}
