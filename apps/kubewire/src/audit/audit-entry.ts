// One thing that a cluster uses of ingress-nginx, and what becomes of it here and elsewhere.

import type { ObjectRef } from '@kubewire/kube-model'

/** What becomes of it with our controller. */
export type HereStatus =
  /** The same as in ingress-nginx 1.15. */
  | 'supported'
  /** Something about it differs, on purpose. */
  | 'changed'
  /** The value is not accepted. */
  | 'refused'
  /** It needs a module that this nginx lacks, or nothing reads it any more. */
  | 'unavailable'
  /** No release knows the name. */
  | 'unknown'

/** An annotation, a ConfigMap key or a hidden behaviour in use by one object. */
export interface AuditEntry {
  readonly kind: 'annotation' | 'setting' | 'behaviour'
  /** Without prefix. */
  readonly name: string
  readonly object: ObjectRef
  /** As written; absent for behaviours. */
  readonly value?: string
  readonly here: HereStatus
  /** How much whoever may write it can do, in the words of ingress-nginx: Low, Medium, High, Critical. */
  readonly risk?: string
  /** What it does, or what differs. */
  readonly detail: string
  /** What takes its place in Gateway API; empty where nothing does. */
  readonly elsewhere: string
}
