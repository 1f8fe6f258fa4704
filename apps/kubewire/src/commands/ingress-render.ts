// `kubewire ingress render`: Ingresses → nginx.conf, or the server blocks of one host.

import { type ConfigTree, catchAllHost, type Model, printConfig, renderConfig } from '@kubewire/nginx-gen'
import type { Command } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { defineModelCommand } from '../ingress-model-command.ts'

/** The command. */
export const command: Command = defineModelCommand({
  usage: '-f FILE [flags]',
  flags: {
    host: {
      kind: 'string',
      default: '',
      help: `only the server blocks of this host; ${catchAllHost} is the default one`,
    },
  },
  text: (model, _, { host }) => printConfig(host === '' ? renderConfig(model) : serversOf(model, host)),
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
  const hosts = model.servers.map((server) => server.host)
  throw new UsageError(`expected --host with one of ${hosts.join(', ')}, found ${JSON.stringify(host)}`)
}

function namesOf(children: ConfigTree): readonly string[] {
  return children
    .filter((node) => node.kind === 'directive' && node.name === 'server_name')
    .flatMap((node) => printConfig([node]).trim().replace(/;$/, '').split(/\s+/).slice(1))
}
