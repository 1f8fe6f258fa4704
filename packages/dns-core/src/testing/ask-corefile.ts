// Test helper: a Corefile over a few objects, questions as text, replies as text. Never part of the published entry.

import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { printCorefileProblem } from '../corefile/corefile-problem.ts'
import { noSurroundings } from '../corefile/parse.ts'
import { serverPlans } from '../corefile/server-plans.ts'
import { createDnsServer, type DnsServer } from '../dns-server.ts'
import { type PlainWorld, plainPorts } from '../plain-ports.ts'
import type { Ports } from '../plugin.ts'
import { type Query, queryOf } from '../query.ts'
import { className, classNumber, rcodeName, typeNumber } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { printRecord } from '../zone/print-record.ts'

/** What a test server stands in. */
export interface TestWorld extends Omit<PlainWorld, 'snapshot'> {
  readonly objects?: readonly KubeObject[]
  /** Replaces single ports. */
  readonly ports?: Partial<Ports>
}

/** Problems of a Corefile, as the daemon prints them. */
export function problemsOf(corefile: string): string[] {
  return planOf(corefile).problems.map(printCorefileProblem)
}

/** A server of a Corefile that must be right. */
export function testServer(corefile: string, world: TestWorld = {}): DnsServer {
  const { value, problems } = planOf(corefile)
  if (problems.length > 0) throw new Error(problems.map(printCorefileProblem).join('\n'))
  const ports = { ...plainPorts({ ...world, snapshot: snapshotOf(world.objects ?? []) }), ...world.ports }
  return createDnsServer(value, ports)
}

/** Asks the first listener `NAME TYPE [CLASS]`; the reply as one text: code, flags, records by section. */
export async function askServer(server: DnsServer, question: string, extra: Partial<Query> = {}): Promise<string> {
  const [name = '', type = 'A', classText = 'IN'] = question.split(' ')
  const query = queryOf(name, typeNumber(type) ?? 1, { class: classNumber(classText) ?? 1, ...extra })
  const answer = await server.listeners[0]?.answer(query)
  if (answer === undefined || answer.kind === 'none') return 'no reply'
  if (answer.kind === 'stream') return answer.replies.map(printReply).join(' // ')
  return printReply(answer.reply)
}

function planOf(corefile: string): ReturnType<typeof serverPlans> {
  return serverPlans(corefile, { fileName: 'Corefile', root: '/etc', defaultPort: 53, surroundings: noSurroundings })
}

function printReply(reply: Reply): string {
  const flags = [
    rcodeName(reply.rcode),
    ...(reply.authoritative ? ['aa'] : []),
    ...(reply.truncated ? ['tc'] : []),
    ...(reply.recursionAvailable ? ['ra'] : []),
  ]
  const sections = [
    ['', reply.answer],
    ['authority: ', reply.authority],
    ['additional: ', reply.additional],
  ] as const
  const texts = sections.flatMap(([title, records]) =>
    records.map((record) => `${title}${printRecord(record).replace(` ${className(record.class)} `, ' ')}`),
  )
  return [flags.join(' '), ...texts].join(' | ')
}
