// Ready-made answers by the bytes of their question. What the kubernetes plugin said is copied until an object changes that
// it was made from, what the cache said as long as the cache allows. Where other plugins change what is said, nothing is
// kept (`ServerFacts.hot`, `ServerFacts.cached`).

import { reverseNameOf } from '../corefile/zones.ts'
import type { Answer } from '../dns-server.ts'
import type { ChangedNames, ZoneIndex } from '../kube/zone-index.ts'
import { foldName } from '../name.ts'
import type { ServerFacts } from '../plugin.ts'
import type { Query } from '../query.ts'
import { fragmentBytes } from '../wire/writer.ts'
import { createHotEntry, type HotForm, HotMemory, isTurnable } from './create-hot-entry.ts'
import { type HotEntry, type HotGroup, isSameQuestion, isTwin, writeHotEntry } from './hot-entry.ts'
import { type HotQuestion, readHotQuestion } from './hot-question.ts'
import { isClusterReply, isPlainReply, subjectOf } from './may-repeat.ts'

/** How a message came: it decides on the largest answer. */
export interface HotArrival {
  readonly isDatagram: boolean
  readonly family: 4 | 6
}

/** Answers kept at one time; beyond it all are forgotten, so that floods of random names cost no memory. */
const maxAnswers = 65_536

/** The ready answers of one listener. */
export class HotAnswers {
  /** The kind of the last answer, and whether it was asked for with DO: for whoever counts. */
  answered: HotGroup = {
    facts: undefined as unknown as ServerFacts,
    rcode: 0,
    type: 0,
    plugin: '',
    counters: undefined,
  }
  isDnssecOk = false
  private readonly asked: HotQuestion = { hash: 0, end: 0, hasOpt: false, udpSize: 0, dnssecOk: false, variant: 0 }
  private readonly table = new Map<number, HotEntry>()
  private readonly subjects = new Map<string, HotEntry[]>()
  private readonly groups = new Map<ServerFacts, Map<string, HotGroup>>()
  private readonly followed = new Set<ZoneIndex>()
  private memory = new HotMemory()
  private count = 0

  /**
   * Writes the answer to the first `length` bytes into `out`; its length. 0 when there is none yet, or when it has no room
   * in `out` or at the asker.
   */
  answer(bytes: Uint8Array, length: number, { isDatagram, family }: HotArrival, out: Uint8Array): number {
    const { asked } = this
    if (!readHotQuestion(bytes, length, asked)) return 0
    let entry = this.table.get(asked.hash)
    while (entry !== undefined && !isSameQuestion(entry, bytes, asked)) entry = entry.next
    if (entry === undefined) return 0
    let limit = isDatagram ? Math.max(512, asked.udpSize) : 65_535
    // What stands in full would be compressed before it is cut into fragments.
    if (isDatagram && entry.repeat !== undefined) limit = Math.min(limit, fragmentBytes[family])
    const written = writeHotEntry(entry, bytes, asked, limit, out)
    if (written < 0) this.forget(entry)
    if (written <= 0) return 0
    this.answered = entry.group
    this.isDnssecOk = asked.dnssecOk
    return written
  }

  /** Keeps an answer when it may be repeated. */
  learn(query: Query, answer: Answer): void {
    if (answer.kind !== 'reply' || !isPlainReply(query, answer.reply)) return
    if (answer.repeat !== undefined) this.learnCached(query, answer)
    else if (answer.plugin === 'kubernetes') this.learnCluster(query, answer)
  }

  /** Forgets everything, as at a reload. */
  clear(): void {
    this.table.clear()
    this.subjects.clear()
    this.memory = new HotMemory()
    this.count = 0
  }

  private learnCluster(query: Query, { reply, facts, plugin }: Answer & { kind: 'reply' }): void {
    const source = facts.hot
    if (source === undefined || !isClusterReply(query, reply) || !source.index.hasSynced()) return
    const name = foldName(query.name)
    // Names in data of other types are spelled as asked: they are learned from questions in lower case.
    const isPlain = reply.answer.every((record) => record.data.kind === 'address')
    if (!isPlain && name !== query.name) return
    const subject = subjectOf(name, source)
    if (subject === undefined) return
    this.follow(source.index)
    const { isShuffled, index } = source
    const form = { isShuffled: isShuffled && isTurnable(reply), serials: index.serials }
    const entry = this.keep(query, { reply, facts, plugin }, form)
    if (entry === undefined) return
    const entries = this.subjects.get(subject)
    if (entries === undefined) this.subjects.set(subject, [entry])
    else entries.push(entry)
  }

  private learnCached(query: Query, { reply, facts, plugin, repeat }: Answer & { kind: 'reply' }): void {
    const { cached } = facts
    if (cached === undefined || repeat === undefined || (cached.isShuffled && !isTurnable(reply))) return
    this.keep(query, { reply, facts, plugin }, { isShuffled: cached.isShuffled, repeat })
  }

  private keep(
    query: Query,
    { reply, facts, plugin }: Pick<Answer & { kind: 'reply' }, 'reply' | 'facts' | 'plugin'>,
    form: Omit<HotForm, 'memory' | 'group'>,
  ): HotEntry | undefined {
    if (this.count >= maxAnswers) this.clear()
    const { memory } = this
    const group = this.groupOf(facts, reply.rcode, query.type, plugin)
    const entry = createHotEntry(query, reply, { ...form, memory, group })
    const twin = this.twinOf(entry)
    // It was there, but too large for whoever asked.
    if (twin !== undefined && twin.repeat === undefined) return undefined
    if (twin !== undefined) this.forget(twin)
    entry.next = this.table.get(entry.hash)
    this.table.set(entry.hash, entry)
    this.count++
    return entry
  }

  private groupOf(facts: ServerFacts, rcode: number, type: number, plugin: string): HotGroup {
    const groups = this.groups.get(facts) ?? new Map<string, HotGroup>()
    this.groups.set(facts, groups)
    const key = `${rcode} ${type} ${plugin}`
    const group = groups.get(key) ?? { facts, rcode, type, plugin, counters: undefined }
    groups.set(key, group)
    return group
  }

  /** The entry for the same question. */
  private twinOf(entry: HotEntry): HotEntry | undefined {
    let at = this.table.get(entry.hash)
    while (at !== undefined && !isTwin(at, entry)) at = at.next
    return at
  }

  private follow(index: ZoneIndex): void {
    if (this.followed.has(index)) return
    this.followed.add(index)
    index.onChange((changed) => this.drop(changed))
  }

  private drop({ service, addresses, isEverything }: ChangedNames): void {
    if (isEverything) this.clear()
    const subjects = service === undefined ? [] : [service]
    for (const subject of [...subjects, ...addresses.flatMap((address) => reverseNameOf(address) ?? [])]) {
      for (const entry of this.subjects.get(subject) ?? []) this.forget(entry)
      this.subjects.delete(subject)
    }
  }

  private forget(entry: HotEntry): void {
    const first = this.table.get(entry.hash)
    let before: HotEntry | undefined
    let at = first
    while (at !== undefined && at !== entry) {
      before = at
      at = at.next
    }
    if (at === undefined) return
    if (before !== undefined) before.next = entry.next
    else if (entry.next !== undefined) this.table.set(entry.hash, entry.next)
    else this.table.delete(entry.hash)
    this.count--
  }
}
