// Collects labels of other plugins for each query.

import { foldName, longestZone, type Name } from '../name.ts'
import { definePlugin, type Plugin, type PluginDefinition } from '../plugin.ts'
import { zonesOrBlock } from './zone-arguments.ts'

export const metadata: PluginDefinition<{ readonly zones: readonly Name[] }> = definePlugin({
  name: 'metadata',
  summary: 'Makes labels of other plugins available to log, rewrite and template.',
  syntax: '[ZONES...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {},
  isOnce: true,
  configure: (input) => ({ zones: zonesOrBlock(input, input.directives[0]?.args ?? []) }),
  create({ zones }) {
    let sources: readonly Plugin[] = []
    return {
      join(plugins) {
        sources = plugins.flatMap(({ plugin }) => (plugin.metadata === undefined ? [] : [plugin]))
      },
      handle(query, context) {
        if (longestZone(zones, foldName(query.name)) !== undefined) {
          for (const source of sources) source.metadata?.(query, context.metadata)
        }
        return context.next(query)
      },
    }
  },
})
