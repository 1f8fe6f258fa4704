// `listen` lines. The catch-all server carries the socket options; nginx takes them once per address.

import { familyOf } from '@kubewire/kube-model'
import { type ConfigNode, directive, list, literal, type TextArgument, word } from '../config/node.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost } from '../model/server.ts'
import { oncePerObject } from '../translate/once-per-object.ts'

/** Listeners of a server for http and https. */
export function renderListeners(model: Model, host: string): readonly ConfigNode[] {
  return host === catchAllHost ? listenersOf(model, true) : ordinaryListeners(model)
}

// The same in thousands of servers.
const ordinaryListeners = oncePerObject((model: Model) => listenersOf(model, false))

function listenersOf(model: Model, isDefault: boolean): readonly ConfigNode[] {
  const { settings, options } = model
  const common = [
    ...(settings['use-proxy-protocol'] ? ['proxy_protocol'] : []),
    ...(isDefault ? ['default_server', ...(settings['reuse-port'] ? ['reuseport'] : [])] : []),
  ]
  const http2 = settings['use-http2'] ? ['http2'] : []
  const https = options.sslPassthrough ? options.passthroughProxyPort : options.httpsPort
  const proxied = options.sslPassthrough && !settings['use-proxy-protocol'] ? ['proxy_protocol'] : []
  return listenAddresses(model).flatMap((address) => [
    directive('listen', listenArgument(address, options.httpPort), ...common),
    directive('listen', listenArgument(address, https), ...proxied, ...common, 'ssl', ...http2),
  ])
}

/** Addresses to listen on: those of `bind-address`, else all; an empty text is every IPv4 address. */
export function listenAddresses({ settings, options }: Model): readonly string[] {
  const hasIpv6 = options.ipv6 && !settings['disable-ipv6']
  const bound = settings['bind-address']
  const ipv4 = bound.filter((address) => familyOf(address) === 4)
  const ipv6 = bound.filter((address) => familyOf(address) === 6)
  return [...(ipv4.length > 0 ? ipv4 : ['']), ...(hasIpv6 ? (ipv6.length > 0 ? ipv6 : ['::']) : [])]
}

/** `port`, `address:port` or `[address]:port`. */
export function listenArgument(address: string, port: number): ReturnType<typeof list> | TextArgument {
  if (address === '') return word(port)
  const host = familyOf(address) === 6 ? `[${address}]` : address
  return list(':', literal(host), word(port))
}
