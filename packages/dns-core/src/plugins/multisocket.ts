// Sockets for one port, so that several cores read (CoreDNS plugin/multisocket). Here processes share a port instead, told
// by the daemon's flag `-workers`; the directive is read and checked, so that Corefiles that have it start.

import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { integerProblem } from './zone-arguments.ts'

/** CoreDNS's own limit. */
const maxSockets = 1024

export const multisocket: PluginDefinition<null> = definePlugin({
  name: 'multisocket',
  summary: 'Accepted; several cores are used by the flag `-workers` instead.',
  syntax: '[SOCKETS]',
  args: { min: 0, max: 1 },
  properties: {},
  takesNoBlock: true,
  configure(input) {
    const text = input.directives[0]?.args[0]?.text ?? '1'
    const sockets = integerProblem(text, 'Atoi')
    if (typeof sockets === 'string') input.failPlain(`invalid num sockets: ${sockets}`)
    else if (sockets < 1) input.failPlain(`num sockets can not be zero or negative: ${sockets}`)
    else if (sockets > maxSockets) input.failPlain(`num sockets exceeds maximum (${maxSockets}): ${sockets}`)
    return null
  },
  create: () => ({ isTransparent: true }),
})
