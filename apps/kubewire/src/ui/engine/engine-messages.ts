// What goes between the page and the worker that holds the libraries.

import type { ObjectRef, Problem } from '@kubewire/kube-model'
import type { RuleFinding } from '../../lint/rule-finding.ts'
import type { PathAnswer } from '../path/path.ts'
import type { Question } from './question.ts'
import type { ClusterSummary } from './summarize-cluster.ts'

/** Page to worker. */
export type EngineRequest =
  /** Fetch the input and start over it. */
  | { readonly kind: 'load' }
  | { readonly kind: 'ask'; readonly turn: number; readonly question: Question }
  | { readonly kind: 'check' }
  | { readonly kind: 'read-object'; readonly ref: ObjectRef }

/** Worker to page. */
export type EngineReply =
  | { readonly kind: 'loaded'; readonly summary: ClusterSummary }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answered'; readonly turn: number; readonly answer: PathAnswer }
  | { readonly kind: 'refused'; readonly turn: number; readonly message: string }
  | { readonly kind: 'checked'; readonly problems: readonly Problem[]; readonly findings: readonly RuleFinding[] }
  | { readonly kind: 'object-read'; readonly ref: ObjectRef; readonly text: string }
