// Says which server answered, to clients that ask (RFC 5001).

import { editReply } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'

const nsidOption = 3

export const nsid: PluginDefinition<{ readonly data?: string }> = definePlugin({
  name: 'nsid',
  summary: 'Adds the server identifier when asked for it.',
  syntax: '[DATA]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {},
  isOnce: true,
  configure(input) {
    const words = input.directives[0]?.args.map((arg) => arg.text) ?? []
    return words.length === 0 ? {} : { data: words.join(' ') }
  },
  create(config, ports) {
    const text = config.data ?? ports.hostName()
    const data = new Uint8Array([...text].map((c) => c.charCodeAt(0) & 255))
    return {
      handle(query, context) {
        const isAsked = query.edns?.options.some((option) => option.code === nsidOption) ?? false
        if (!isAsked) return context.next(query)
        return editReply(context.next(query), (reply) => ({
          ...reply,
          ednsOptions: [
            ...(reply.ednsOptions ?? []).filter(({ code }) => code !== nsidOption),
            { code: nsidOption, data },
          ],
          saysDnssecOk: reply.ednsOptions === undefined || reply.saysDnssecOk === true,
        }))
      },
    }
  },
})
