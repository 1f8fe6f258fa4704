// `kubewire dns render`: every record of the cluster zones, as the text of zone files.

import { type DnsRecord, printZone } from '@kubewire/dns-core'
import { type Command, defineCommand } from '../command.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { dnsFlags, dnsInput, forwardZones } from '../input/dns-input.ts'
import { reportShown } from '../output.ts'
import { printTextOrJson, textOrJson } from '../print/text-or-json.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...dnsFlags,
  ...textOrJson,
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    const input = await readInput(values, output)
    const { server, problems } = await dnsInput(input.snapshot, values, output)
    const zones = forwardZones(server)
    server.close()
    output.data(
      printTextOrJson(
        values.output,
        () => zones.map(printZone).join('\n'),
        () => zones.map(({ zone, records }) => ({ zone, records: records.map(plainRecord) })),
      ),
    )
    return reportShown(output, [...input.problems, ...problems])
  },
})

function plainRecord(record: DnsRecord): object {
  return { ...record }
}
