// The targets we know. A new one is one file beside this, named in the union and in the list.

import type { TargetDefinition } from './define.ts'
import { type DnatTarget, dnat } from './dnat.ts'
import { type JumpTarget, jump } from './jump.ts'
import { type MarkTarget, markTarget } from './mark.ts'
import { type MasqueradeTarget, masquerade } from './masquerade.ts'
import { type OpaqueTarget, opaqueTarget } from './opaque.ts'
import { type RejectTarget, reject } from './reject.ts'
import { type AcceptTarget, accept, type DropTarget, drop, type ReturnTarget, returnTarget } from './verdict.ts'

/** Any target that a rule may have. */
export type Target =
  | JumpTarget
  | ReturnTarget
  | AcceptTarget
  | DropTarget
  | RejectTarget
  | DnatTarget
  | MasqueradeTarget
  | MarkTarget
  | OpaqueTarget

/** All definitions. */
export const targets: readonly TargetDefinition<Target>[] = [
  jump,
  returnTarget,
  accept,
  drop,
  reject,
  dnat,
  masquerade,
  markTarget,
  opaqueTarget,
] as readonly unknown[] as readonly TargetDefinition<Target>[]

const byKind = new Map(targets.map((definition) => [definition.kind, definition]))
const byName = new Map(targets.flatMap((definition) => definition.names.map((name) => [name, definition] as const)))

/** The definition of a target. */
export function targetDefinition(target: Target): TargetDefinition<Target> {
  const definition = byKind.get(target.kind)
  if (definition === undefined) throw new Error(`no definition of target ${target.kind}`)
  return definition
}

/** The definition that reads `-j NAME`, unless NAME is a chain. */
export function targetOfName(name: string): TargetDefinition<Target> | undefined {
  return byName.get(name)
}
