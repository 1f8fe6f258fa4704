// What DNS answers: every name and type of the cluster zones.

import { printRecord, typeName } from '@kubewire/dns-core'
import type { ClusterSnapshot } from '@kubewire/kube-model'
import { dnsInput, forwardZones } from '../input/dns-input.ts'
import type { Output } from '../output.ts'
import type { Effect } from './effect.ts'

/** One effect for each name and type; the order of records does not count. */
export async function dnsEffects(
  snapshot: ClusterSnapshot,
  values: { readonly corefile: string },
  output: Output,
): Promise<readonly Effect[]> {
  const { server } = await dnsInput(snapshot, values, output)
  const answers = new Map<string, { readonly subject: string; readonly question: string; readonly data: Set<string> }>()
  for (const record of forwardZones(server).flatMap(({ records }) => records)) {
    const question = typeName(record.type)
    const key = `${record.name} ${question}`
    const answer = answers.get(key) ?? { subject: record.name, question, data: new Set<string>() }
    answers.set(key, answer)
    // Name, TTL, class and type stand before the data.
    answer.data.add(printRecord(record, '\t').split('\t').slice(4).join(' '))
  }
  server.close()
  return [...answers.values()].map(({ subject, question, data }) => ({
    subject,
    question,
    answer: [...data].sort().join(', '),
  }))
}
