// Collects labels of other plugins for each query.

import { foldName, longestZone, type Name } from '../name.ts'
import { definePlugin, type MetadataLabels, type Plugin, type PluginDefinition } from '../plugin.ts'
import type { Query } from '../query.ts'
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
    const collect = (query: Query, labels: MetadataLabels): void => {
      if (longestZone(zones, foldName(query.name)) === undefined) return
      for (const source of sources) source.metadata?.(query, labels)
    }
    return {
      join(plugins) {
        const others = plugins.filter(({ name }) => name !== 'metadata')
        sources = others.flatMap(({ plugin }) => (plugin.metadata === undefined ? [] : [plugin]))
      },
      metadata: collect,
      handle(query, context) {
        collect(query, context.metadata)
        return context.next(query)
      },
    }
  },
})
