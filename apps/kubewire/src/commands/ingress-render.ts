// `kubewire ingress render`: Ingresses → routes and classes of settings, as ingress-ts holds them; or with --static the
// nginx.conf in which each host is a server.

import { type ConfigTree, catchAllHost, type Model, printConfig, renderConfig, renderRouted } from '@kubewire/nginx-gen'
import type { Command } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { printRoutes } from '../print/print-routes.ts'
import { defineModelCommand } from './ingress-model-command.ts'

/** The command. */
export const command: Command = defineModelCommand({
  usage: '-f FILE [flags]',
  flags: {
    host: {
      kind: 'string',
      default: '',
      help: `only this host; ${catchAllHost} is the default one`,
    },
    static: { kind: 'bool', default: false, help: 'nginx.conf in full, with a server for each host' },
  },
  text: (model, _, { host, static: isStatic }) => {
    const routed = renderRouted(model)
    if (isStatic || Object.keys(routed.table).length === 0) {
      return printConfig(host === '' ? renderConfig(model) : serversOf(model, host))
    }
    if (host !== '' && !hasHost(model, host)) throw unknownHost(model, host)
    return printRoutes(routed, host === '' ? undefined : host)
  },
  json: ({ servers, backends, wwwRedirects, stream, tls }) => ({
    servers,
    backends,
    wwwRedirects,
    stream,
    tlsHosts: tls.hosts,
  }),
})

function serversOf(model: Model, host: string): ConfigTree {
  const tree = renderConfig(model)
  const inHttp = tree.flatMap((node) => (node.kind === 'block' && node.name === 'http' ? node.children : []))
  const wanted = inHttp.filter(
    (node) => node.kind === 'block' && node.name === 'server' && namesOf(node.children).includes(host),
  )
  if (wanted.length > 0) return wanted
  throw unknownHost(model, host)
}

function hasHost({ servers, wwwRedirects }: Model, host: string): boolean {
  return (
    servers.some((server) => server.host === host || server.aliases.includes(host)) ||
    wwwRedirects.some(({ from }) => from === host)
  )
}

function unknownHost(model: Model, host: string): UsageError {
  const hosts = model.servers.map((server) => server.host)
  return new UsageError(`expected --host with one of ${hosts.join(', ')}, found ${JSON.stringify(host)}`)
}

function namesOf(children: ConfigTree): readonly string[] {
  return children
    .filter((node) => node.kind === 'directive' && node.name === 'server_name')
    .flatMap((node) => printConfig([node]).trim().replace(/;$/, '').split(/\s+/).slice(1))
}
