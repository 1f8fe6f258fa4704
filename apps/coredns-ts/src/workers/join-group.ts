// A worker's side of the group (`run-workers.ts`): what it asks of the others, and what it answers.

import type { FromWorker, GroupFact, GroupFacts, ToWorker } from './worker-messages.ts'

/** The workers that serve together with this process. */
export interface Group {
  /** Whether this one tries first what is new. */
  readonly isFirst: boolean
  /** Every worker's part, this one's included. */
  gather<F extends GroupFact>(fact: F): Promise<readonly GroupFacts[F][]>
  /** The Corefile changed: all are to load it. */
  reportChange(): void
  /** This worker listens; the lines that tell so are written when all do. */
  reportServing(startText: string): void
  /** Answers from now on. */
  answerWith(member: GroupMember): void
}

/** What this process does when it is asked. */
export interface GroupMember {
  tell(fact: GroupFact): GroupFacts[GroupFact] | Promise<GroupFacts[GroupFact]>
  /** Whether the new Corefile is served now. */
  reload(): Promise<boolean>
}

/** Joins by messages to the process that started this one; `end` is called when all are to end. */
export function joinGroup(isFirst: boolean, end: () => void): Group {
  const waiting = new Map<number, (values: readonly unknown[]) => void>()
  let member: GroupMember | undefined
  let nextId = 1
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'end') end()
    else if (message.kind === 'gathered') {
      waiting.get(message.id)?.(message.values)
      waiting.delete(message.id)
    } else if (member !== undefined) void answer(member, message)
  })
  return {
    isFirst,
    gather<F extends GroupFact>(fact: F) {
      const id = nextId++
      return new Promise<readonly GroupFacts[F][]>((resolve) => {
        waiting.set(id, (values) => resolve(values as readonly GroupFacts[F][]))
        send({ kind: 'gather', id, fact })
      })
    },
    reportChange: () => send({ kind: 'changed' }),
    reportServing: (startText) => send({ kind: 'serving', startText }),
    answerWith(one) {
      member = one
    },
  }
}

async function answer(member: GroupMember, message: Extract<ToWorker, { kind: 'tell' | 'reload' }>): Promise<void> {
  const value = message.kind === 'reload' ? await member.reload() : await member.tell(message.fact)
  send({ kind: 'told', id: message.id, value })
}

function send(message: FromWorker): void {
  // Nobody hears when the first process is gone; this one ends then, too.
  if (process.connected) process.send?.(message)
}
