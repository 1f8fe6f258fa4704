// What is measured: who, how loaded, and what it is to reach (issue "DNS: everything the kubernetes plugin does, faster than
// the original").

import type { QuestionSet } from './objects.ts'
import type { SubjectOptions } from './subjects.ts'

/** A ratio to reach: what `against` needs divided by what `subject` needs. */
export interface Goal {
  /** CPU per answer, in modes with a `loadShare` p99; or memory. */
  readonly of: 'answers' | 'memory'
  readonly subject: string
  readonly against: string
  readonly atLeast: number
}

/** One table. */
export interface Mode {
  readonly title: string
  /** Names of subjects, in the order in which they take turns. */
  readonly subjects: readonly string[]
  readonly questions: QuestionSet
  readonly options?: Omit<SubjectOptions, 'port'>
  /** Cores of server and client; one each when absent. */
  readonly cores?: { readonly server: string; readonly client: string }
  readonly connections?: number
  /** Slice changes a second while it is measured. */
  readonly changesPerSecond?: number
  /** Load as a share of CoreDNS's saturation, and p99 instead of CPU. */
  readonly loadShare?: number
  readonly goals: readonly Goal[]
}

const dgram = 'ours, dgram'
const batched = 'ours, batched'
const all = ['echo', 'C echo', dgram, batched, 'CoreDNS', 'Knot', 'Unbound']
const goal = (subject: string, against: string, atLeast: number, of: Goal['of'] = 'answers'): Goal => {
  return { of, subject, against, atLeast }
}
const answerGoals: readonly Goal[] = [
  goal(dgram, 'echo', 0.85),
  goal(dgram, 'CoreDNS', 2.5),
  goal(batched, 'echo', 1.6),
  goal(batched, 'Knot', 0.9),
  goal(batched, 'Unbound', 1),
  goal(batched, 'CoreDNS', 4.9),
  goal(dgram, 'CoreDNS', 1, 'memory'),
  goal(batched, 'CoreDNS', 1, 'memory'),
]
const originalGoals: readonly Goal[] = [goal(dgram, 'CoreDNS', 2.5), goal(batched, 'CoreDNS', 4.9)]
const streamGoals: readonly Goal[] = [goal(dgram, 'echo', 0.85)]

/** Every mode by its name on the command line. */
export const modes: { readonly [name: string]: Mode } = {
  answers: { title: 'A answers, kubernetes and prometheus', subjects: all, questions: 'a', goals: answerGoals },
  mix: {
    title: 'Search-list misses, A, AAAA and SRV',
    subjects: ['echo', dgram, batched, 'CoreDNS'],
    questions: 'mix',
    goals: [...originalGoals, goal(dgram, 'echo', 0.85)],
  },
  cache: {
    title: 'A answers with cache 30',
    subjects: ['echo', dgram, batched, 'CoreDNS'],
    questions: 'a',
    options: { cacheSeconds: 30 },
    goals: [goal(dgram, 'CoreDNS', 1.9), goal(batched, 'CoreDNS', 3.6)],
  },
  cores: {
    title: 'A answers on two cores (the load shares them)',
    subjects: [dgram, batched, 'CoreDNS', 'Knot'],
    questions: 'a',
    options: { workers: 2 },
    cores: { server: '0,1', client: '0,1' },
    connections: 20,
    goals: [...originalGoals, goal(batched, 'Knot', 0.9)],
  },
  tcp: {
    title: 'A answers over TCP, ten connections',
    subjects: ['echo', dgram, 'CoreDNS'],
    questions: 'a',
    options: { transport: 'tcp' },
    connections: 10,
    goals: streamGoals,
  },
  tls: {
    title: 'A answers over TLS, ten connections',
    subjects: ['echo', dgram, 'CoreDNS'],
    questions: 'a',
    options: { transport: 'dot' },
    connections: 10,
    goals: streamGoals,
  },
  changes: {
    title: 'A answers, 200 EndpointSlice changes a second',
    subjects: [dgram, batched, 'CoreDNS'],
    questions: 'a',
    changesPerSecond: 200,
    goals: originalGoals,
  },
  latency: {
    title: 'p99 at 70 % of CoreDNS’s saturation',
    subjects: ['echo', dgram, batched, 'CoreDNS'],
    questions: 'a',
    loadShare: 0.7,
    goals: [goal(dgram, 'CoreDNS', 1), goal(batched, 'CoreDNS', 1)],
  },
  'latency-changes': {
    title: 'p99 at 70 % of CoreDNS’s saturation, 200 EndpointSlice changes a second',
    subjects: ['echo', dgram, batched, 'CoreDNS'],
    questions: 'a',
    loadShare: 0.7,
    changesPerSecond: 200,
    goals: [goal(dgram, 'CoreDNS', 1), goal(batched, 'CoreDNS', 1)],
  },
}
