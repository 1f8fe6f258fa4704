// The `stream` block: TCP and UDP services, and SSL passthrough. Debian has no Lua for stream, so endpoints stand in
// the text and a change of them reloads.

import { joinHostPort, parseIp } from '@kubewire/kube-model'
import { block, type ConfigNode, directive, list, literal, raw } from '../config/node.ts'
import type { BackendEndpoint } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import type { StreamService } from '../model/stream.ts'
import { listenAddresses, listenArgument } from './listeners.ts'
import { renderErrorLog, renderStreamLogs } from './logs.ts'
import type { ConfigPaths } from './paths.ts'
import type { RenderModel } from './render-model.ts'
import { renderResolver } from './resolver.ts'

/** The whole block; nothing when no port is exposed. */
export function renderStream({ model, paths }: RenderModel): readonly ConfigNode[] {
  const { settings, options } = model
  const snippet = [settings['stream-snippet'], ...model.streamSnippets].filter((text) => text !== '')
  if (model.stream.length === 0 && !options.sslPassthrough && snippet.length === 0) return []
  return [
    block(
      'stream',
      [],
      [
        ...renderStreamLogs(model, paths),
        renderErrorLog(model, paths),
        ...renderStreamRealIp(model),
        ...renderResolver(model, paths),
        ...model.stream.filter((service) => !isLookedUp(service, paths)).map(renderUpstream),
        ...model.stream.map((service) => renderService(service, model, paths)),
        ...(options.sslPassthrough ? renderPassthrough(model, paths.streamDir) : []),
        ...snippet.map((text) => raw(text)),
      ],
    ),
  ]
}

function upstreamName({ protocol, port }: StreamService): string {
  return `${protocol.toLowerCase()}-${port}`
}

function renderUpstream(service: StreamService): ConfigNode {
  const servers = service.endpoints.map(({ address, port }) =>
    directive('server', literal(joinHostPort(address, port))),
  )
  return block('upstream', [upstreamName(service)], servers)
}

/** Whether nginx looks the endpoint up at each connection: in an upstream a name that does not exist stops every change. */
function isLookedUp({ endpoints }: StreamService, { resolvers }: ConfigPaths): boolean {
  return resolvers.length > 0 && endpoints.some(({ address }) => parseIp(address) === undefined)
}

/** The sender of a PROXY header counts as the client, towards Services that get such a header, too. */
function renderStreamRealIp({ settings }: Model): ConfigNode[] {
  if (!settings['enable-real-ip']) return []
  return settings['proxy-real-ip-cidr'].map((range) => directive('set_real_ip_from', literal(range)))
}

function renderService(service: StreamService, model: Model, paths: ConfigPaths): ConfigNode {
  const { settings } = model
  const isUdp = service.protocol === 'UDP'
  const options = [...(isUdp ? ['udp'] : []), ...(service.acceptsProxyProtocol ? ['proxy_protocol'] : [])]
  return block(
    'server',
    [],
    [
      ...listenAddresses(model).map((address) =>
        directive('listen', listenArgument(address, service.port), ...options),
      ),
      ...(isUdp ? [directive('proxy_responses', settings['proxy-stream-responses'])] : []),
      directive('proxy_timeout', literal(settings['proxy-stream-timeout'])),
      directive('proxy_next_upstream', settings['proxy-stream-next-upstream'] ? 'on' : 'off'),
      directive('proxy_next_upstream_timeout', literal(settings['proxy-stream-next-upstream-timeout'])),
      directive('proxy_next_upstream_tries', settings['proxy-stream-next-upstream-tries']),
      ...renderTarget(service, paths),
      ...(service.sendsProxyProtocol ? [directive('proxy_protocol', 'on')] : []),
    ],
  )
}

function renderTarget(service: StreamService, paths: ConfigPaths): ConfigNode[] {
  const [first] = service.endpoints
  if (first === undefined || !isLookedUp(service, paths)) return [directive('proxy_pass', upstreamName(service))]
  return [
    directive('set', '$stream_target', literal(joinHostPort(first.address, first.port))),
    directive('proxy_pass', '$stream_target'),
  ]
}

/**
 * Hands TLS through by server name. The first hop adds the PROXY protocol for everybody, since nginx cannot decide that
 * per name; a second hop takes it away again for backends that must see plain TLS.
 */
function renderPassthrough(model: Model, streamDir: string): ConfigNode[] {
  const { options, settings } = model
  const hosts = model.servers.flatMap(({ host, passthrough }) =>
    passthrough === undefined ? [] : [{ host, passthrough }],
  )
  const targets = [...new Set(hosts.map(({ passthrough }) => addressOf(passthrough)))].sort()
  const socketOf = (target: string): ReturnType<typeof list> =>
    list('', 'unix:', literal(`${streamDir}/passthrough-${targets.indexOf(target)}.sock`))
  const accepts = settings['use-proxy-protocol'] ? ['proxy_protocol'] : []
  return [
    block(
      'map',
      ['$ssl_preread_server_name', '$passthrough_target'],
      [
        directive('hostnames'),
        directive('default', `127.0.0.1:${options.passthroughProxyPort}`),
        ...hosts.map(({ host, passthrough }) => directive(host, socketOf(addressOf(passthrough)))),
      ],
    ),
    block(
      'server',
      [],
      [
        ...listenAddresses(model).map((address) =>
          directive('listen', listenArgument(address, options.httpsPort), ...accepts),
        ),
        directive('ssl_preread', 'on'),
        directive('proxy_protocol', 'on'),
        directive('proxy_pass', '$passthrough_target'),
      ],
    ),
    ...targets.map((target) =>
      block(
        'server',
        [],
        [directive('listen', socketOf(target), 'proxy_protocol'), directive('proxy_pass', literal(target))],
      ),
    ),
  ]
}

function addressOf({ address, port }: BackendEndpoint): string {
  return joinHostPort(address, port)
}
