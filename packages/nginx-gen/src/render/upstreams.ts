// Upstream blocks. In the dynamic form there is one, balanced by Lua; in the static form one per backend, with its
// endpoints in the text, so that no Lua module is needed and every change of endpoints reloads.

import { joinHostPort } from '@kubewire/kube-model'
import { block, type ConfigNode, directive, interpolated, literal } from '../config/node.ts'
import { luaUpstream } from '../lua/directives.ts'
import type { Backend } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { staticEndpoints } from './static-balancing.ts'

/** All upstream blocks of the model. */
export function renderUpstreams(model: Model): readonly ConfigNode[] {
  if (model.options.balancing === 'dynamic') {
    return [block('upstream', ['upstream_balancer'], [...luaUpstream(), ...renderKeepalive(model)])]
  }
  return model.backends.map((backend) => renderBackend(backend, model))
}

function renderBackend(backend: Backend, model: Model): ConfigNode {
  const servers = staticEndpoints(backend).map(({ address, port }) =>
    directive('server', literal(joinHostPort(address, port))),
  )
  // nginx wants a server line; one that is down answers 502 at once.
  const lines = servers.length > 0 ? servers : [directive('server', '127.0.0.1:1', 'down')]
  const { balancing } = backend
  const hash = balancing.kind === 'hash' ? [directive('hash', interpolated(balancing.key), 'consistent')] : []
  return block('upstream', [literal(backend.name)], [...hash, ...lines, ...renderKeepalive(model)])
}

function renderKeepalive({ settings }: Model): ConfigNode[] {
  const connections = settings['upstream-keepalive-connections']
  if (connections <= 0) return []
  return [
    directive('keepalive', connections),
    directive('keepalive_time', literal(settings['upstream-keepalive-time'])),
    directive('keepalive_timeout', `${settings['upstream-keepalive-timeout']}s`),
    directive('keepalive_requests', settings['upstream-keepalive-requests']),
  ]
}
