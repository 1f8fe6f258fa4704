// `kubewire dns render`: every record of the cluster zones, as the text of zone files.

import { type DnsRecord, printZone } from '@kubewire/dns-core'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { dnsFlags, dnsInput, forwardZones } from '../dns-input.ts'
import { UsageError } from '../exit-code.ts'
import { reportProblems } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...dnsFlags,
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    if (!['text', 'json'].includes(values.output)) throw new UsageError('expected -o text or -o json')
    const input = await readInput(values, output)
    const { server, problems } = await dnsInput(input.snapshot, values, output)
    const zones = forwardZones(server)
    server.close()
    const json = (): object => zones.map(({ zone, records }) => ({ zone, records: records.map(plainRecord) }))
    output.data(values.output === 'json' ? `${JSON.stringify(json(), null, 2)}\n` : zones.map(printZone).join('\n'))
    return reportProblems(output, [...input.problems, ...problems])
  },
})

function plainRecord(record: DnsRecord): object {
  return { ...record }
}
