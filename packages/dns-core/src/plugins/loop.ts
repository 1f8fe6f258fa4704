// Ends the process when queries come back to the server that forwarded them.

import { foldName, joinName } from '../name.ts'
import { next } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { rrType } from '../record-types.ts'

/** The probe is looked for this long after the start; then the plugin sleeps. */
const watchMs = 30_000

export const loop: PluginDefinition<null> = definePlugin({
  name: 'loop',
  summary: 'Detects forwarding loops at start and stops the server.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {},
  takesNoBlock: true,
  isOnce: true,
  configure: () => null,
  create(_config, ports, block) {
    const zone = block.zones[0] ?? '.'
    const label = (): string => String(Math.floor(ports.random() * 2 ** 48))
    const probe = joinName(`${label()}.${label()}`, zone)
    let seen = 0
    let isWatching = true
    let cancel = ports.schedule(watchMs, () => {
      isWatching = false
    })
    const stopProbing = ports.probeLoop(probe, () => {
      isWatching = false
      cancel()
    })
    return {
      handle(query) {
        if (!isWatching || query.type !== rrType.HINFO || foldName(query.name) !== probe) return next
        seen++
        // COMPAT: the third sight of the probe is a loop (CoreDNS plugin/loop).
        if (seen > 2) {
          const { client, local } = query
          ports.fatal(
            `plugin/loop: Loop (${client.address}:${client.port} -> ${local.address}:${local.port}) detected for zone "${zone}", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO ${probe}"`,
          )
        }
        return next
      },
      close() {
        cancel()
        cancel = () => {}
        stopProbing()
      },
      isTransparent: true,
    }
  },
})
