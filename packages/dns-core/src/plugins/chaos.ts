// Class CH names about the server: version, authors, host name (RFC 4892).

import { foldName } from '../name.ts'
import { next, replied } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { rrClass, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'

interface ChaosConfig {
  readonly version: string
  readonly authors: readonly string[]
}

export const chaos: PluginDefinition<ChaosConfig> = definePlugin({
  name: 'chaos',
  summary: 'Answers version.bind, authors.bind and hostname.bind in class CH.',
  syntax: '[VERSION] [AUTHORS...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {},
  configure(input) {
    const [version, ...authors] = input.directives[0]?.args.map((arg) => arg.text) ?? []
    return { version: version ?? 'CoreDNS-1.15.0', authors: authors.length === 0 ? ['kubewire'] : authors }
  },
  create: ({ version, authors }, ports) => ({
    handle(query) {
      if (query.class !== rrClass.CH || query.type !== rrType.TXT) return next
      const texts = textsOf(foldName(query.name), version, authors, ports.hostName())
      if (texts === undefined) return next
      const answer = texts.map((text) => {
        const data = { kind: 'text', strings: [text.slice(0, 255)] } as const
        return { name: query.name, type: rrType.TXT, class: rrClass.CH, ttlSeconds: 0, data }
      })
      return replied({ ...emptyReply, answer })
    },
    isTransparent: true,
  }),
})

function textsOf(
  name: string,
  version: string,
  authors: readonly string[],
  hostName: string,
): readonly string[] | undefined {
  switch (name) {
    case 'version.bind.':
    case 'version.server.':
      return [version]
    case 'authors.bind.':
      return authors
    case 'hostname.bind.':
    case 'id.server.':
      return [hostName]
    default:
      return undefined
  }
}
