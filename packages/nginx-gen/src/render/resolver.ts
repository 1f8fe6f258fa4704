// The name servers that nginx asks itself, in http and in stream.

import { type ConfigNode, directive, literal } from '../config/node.ts'
import type { Model } from '../model/model.ts'
import type { ConfigPaths } from './paths.ts'

/** `resolver`, where name servers are known. */
export function renderResolver({ settings, options }: Model, { resolvers }: ConfigPaths): readonly ConfigNode[] {
  if (resolvers.length === 0) return []
  const families = settings['disable-ipv6-dns'] || !options.ipv6 ? ['ipv6=off'] : []
  return [directive('resolver', ...resolvers.map(literal), 'valid=30s', ...families)]
}
