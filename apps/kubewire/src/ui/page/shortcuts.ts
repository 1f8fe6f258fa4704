// Keys that work wherever nothing is being typed.

import { h } from './element.ts'

/** A key, what it does, and how. */
export interface Shortcut {
  readonly key: string
  readonly meaning: string
  readonly run: () => void
}

/** Listens for the keys; `?` shows them. Returns the dialog that lists them. */
export function createShortcuts(shortcuts: readonly Shortcut[]): HTMLDialogElement {
  const close = h(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => dialog.close() },
    '✕',
  )
  const all = [...shortcuts, { key: '?', meaning: 'show these keys', run: () => dialog.showModal() }]
  const arrows = { key: '← ↑ ↓ →', meaning: 'in a path: walk from card to card' }
  const dialog = h(
    'dialog',
    { class: 'keys-dialog', 'aria-labelledby': 'keys-title' },
    h('div', { class: 'dialog-head' }, h('h2', { id: 'keys-title' }, 'Keys'), close),
    h(
      'dl',
      {},
      ...[...all, arrows].flatMap(({ key, meaning }) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)]),
    ),
  )
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    const shortcut = all.find(({ key }) => key === event.key)
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.run()
  })
  return dialog
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'radio'
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
}
