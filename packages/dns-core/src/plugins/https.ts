// How many connections an https:// listener takes (CoreDNS plugin/https).

import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { integerProblem } from './zone-arguments.ts'

/** Settings of the https plugin; no number: the listener's default, 0: no bound of its own. */
export interface HttpsConfig {
  readonly maxConnections?: number
}

export const https: PluginDefinition<HttpsConfig> = definePlugin({
  name: 'https',
  summary: 'Limits of an https:// block.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {
    max_connections: {
      min: 1,
      max: 1,
      syntax: 'N',
      summary: 'Connections at a time, default 200; 0 for no limit here.',
    },
  },
  configure(input) {
    const [line, again] = input.directives[0]?.block ?? []
    const word = line?.args[0]
    if (word === undefined) return {}
    const maxConnections = integerProblem(word.text, 'Atoi')
    if (typeof maxConnections === 'string') {
      input.fail(`invalid max_connections value '${word.text}': ${maxConnections}`, word)
    } else if (maxConnections < 0) {
      input.fail(`max_connections must be a non-negative integer: ${maxConnections}`, word)
    } else if (again !== undefined) {
      input.fail('max_connections already defined for this server block', again.args[0] ?? again.name)
    } else return { maxConnections }
    return {}
  },
  create: () => ({ isTransparent: true }),
})
