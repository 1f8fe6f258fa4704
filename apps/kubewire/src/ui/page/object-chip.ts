// The name of an object as a button that opens it.

import { type ObjectRef, printRef } from '@kubewire/kube-model'
import { h } from './element.ts'

/** A list of chips; nothing for no objects. */
export function objectChips(refs: readonly ObjectRef[], open: (ref: ObjectRef) => void): readonly HTMLElement[] {
  if (refs.length === 0) return []
  return [h('p', { class: 'chips' }, ...refs.map((ref) => objectChip(ref, open)))]
}

/** One chip. */
export function objectChip(ref: ObjectRef, open: (ref: ObjectRef) => void): HTMLElement {
  const key = ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`
  return h(
    'button',
    { type: 'button', class: 'chip', 'aria-label': `Show ${printRef(ref)}`, onclick: () => open(ref) },
    h('span', { class: 'chip-kind' }, ref.kind),
    ' ',
    h('span', { class: 'chip-name' }, key),
  )
}
