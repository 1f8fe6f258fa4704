// References without repetitions.

import { type ObjectRef, printRef } from '@kubewire/kube-model'

/** Each object once, in the order of its first mention. */
export function uniqueRefs(refs: readonly ObjectRef[]): readonly ObjectRef[] {
  const byText = new Map<string, ObjectRef>()
  for (const ref of refs) if (!byText.has(printRef(ref))) byText.set(printRef(ref), ref)
  return [...byText.values()]
}
