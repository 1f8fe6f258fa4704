// What a DNS case needs of a server, whoever runs it: the library in this process, our daemon or CoreDNS.

import { classNumber, encodeQuery, queryOf, typeNumber } from '@kubewire/dns-core'
import type { SeenReply } from './compare-reply.ts'
import type { CaseQuery, CaseStep, DnsCase } from './dns-case.ts'

/** A fresh server for one case. */
export interface ServerUnderTest {
  ask(query: CaseQuery): Promise<SeenReply | undefined>
  /** Applies the changes of a step to the cluster. */
  change(step: CaseStep): Promise<void>
  close(): Promise<void>
}

/** Starts servers; one bench serves many cases. */
export interface ServerBench {
  start(scenario: DnsCase): Promise<ServerUnderTest>
  /** Whether the answers of a step need waiting for. */
  readonly isLive: boolean
  close(): Promise<void>
}

/** The bytes of a case's question. RD is set, no other flag. */
export function questionBytes(query: CaseQuery, id: number): Uint8Array {
  const [name = '.', typeText = 'A', classText = 'IN'] = query.q.split(/\s+/)
  const type = typeNumber(typeText)
  const classValue = classNumber(classText)
  if (type === undefined || classValue === undefined) throw new Error(`expected NAME TYPE [CLASS], got ${query.q}`)
  const { edns } = query
  return encodeQuery({
    ...queryOf(name, type, { id, class: classValue }),
    ...(edns === undefined
      ? {}
      : {
          edns: { udpSize: edns.udpSize ?? 1232, version: edns.version ?? 0, dnssecOk: edns.do ?? false, options: [] },
        }),
  })
}
