// What a DNS case needs of a server, whoever runs it: the library in this process, our daemon or CoreDNS.

import { type EdnsOption, queryOf } from '../query.ts'
import { classNumber, typeNumber } from '../record-types.ts'
import { encodeQuery } from '../wire/encode-query.ts'
import type { SeenReply } from './compare-reply.ts'
import type { DnsCase, DnsCaseQuery, DnsCaseStep } from './dns-case.ts'

/** A fresh server for one case. */
export interface CaseServer {
  ask(query: DnsCaseQuery): Promise<SeenReply | undefined>
  /** Applies the changes of a step to the cluster. */
  change(step: DnsCaseStep): Promise<void>
  close(): Promise<void>
}

/** Starts servers; one bench serves many cases. */
export interface CaseServerBench {
  start(scenario: DnsCase): Promise<CaseServer>
  /** The clock of a server whose answers follow a change after a while; without it they follow at once. */
  readonly live?: { nowMs(): number; pause(ms: number): Promise<void> }
  close(): Promise<void>
}

/** Options written `CODE:HEX`. */
function optionsOf(texts: readonly string[] = []): EdnsOption[] {
  return texts.map((text) => {
    const [code = '', hex = ''] = text.split(':')
    return { code: Number(code), data: Uint8Array.from(Buffer.from(hex, 'hex')) }
  })
}

/** The bytes of a case's question. RD is set, no other flag. */
export function questionBytes(query: DnsCaseQuery, id: number): Uint8Array {
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
          edns: {
            udpSize: edns.udpSize ?? 1232,
            version: edns.version ?? 0,
            dnssecOk: edns.do ?? false,
            options: optionsOf(edns.options),
          },
        }),
  })
}
