// The client's address behind trusted proxies. Source: ingress-nginx 1.15 template; reference: real IP.

import { block, type ConfigNode, directive, list, literal } from '../config/node.ts'
import type { Model } from '../model/model.ts'
import { headerVariable } from './request-headers.ts'

/** Directives of the real-IP module, if any source is trusted. */
export function renderRealIp({ settings, options }: Model): readonly ConfigNode[] {
  const forwarded = settings['use-forwarded-headers']
  const proxied = settings['use-proxy-protocol']
  if (!forwarded && !proxied && !settings['enable-real-ip']) return options.sslPassthrough ? renderOwnHop() : []
  const trusted = settings['proxy-real-ip-cidr']
  const both = forwarded && proxied
  const header = both
    ? literal(settings['forwarded-for-proxy-protocol-header'])
    : proxied
      ? literal('proxy_protocol')
      : literal(settings['forwarded-for-header'])
  return [
    directive('real_ip_header', header),
    directive('real_ip_recursive', 'on'),
    ...trusted.map((range) => directive('set_real_ip_from', literal(range))),
    ...(both ? renderBoth(settings, trusted) : []),
  ]
}

/** Behind the listener that hands TLS through, the client is in the header that this adds. */
function renderOwnHop(): ConfigNode[] {
  return [directive('real_ip_header', 'proxy_protocol'), directive('set_real_ip_from', '127.0.0.1')]
}

/** With both mechanisms the header of a trusted balancer counts, else the address of the PROXY protocol. */
function renderBoth(settings: Model['settings'], trusted: readonly string[]): ConfigNode[] {
  const internal = settings['forwarded-for-proxy-protocol-header']
  return [
    block(
      'geo',
      ['$proxy_protocol_addr', '$proxy_protocol_addr_trusted'],
      [directive('default', '0'), ...trusted.map((range) => directive(range, '1'))],
    ),
    block(
      'map',
      ['$proxy_protocol_addr_trusted', '$forwarded_for_proxy_protocol'],
      [directive('default', '$proxy_protocol_addr'), directive('1', headerVariable(settings['forwarded-for-header']))],
    ),
    directive('more_set_input_headers', list('', literal(internal), ': ', '$forwarded_for_proxy_protocol')),
  ]
}
