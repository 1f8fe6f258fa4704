// One object as YAML, with what was found about it, in a dialog over the page.

import { printRef } from '@kubewire/kube-model'
import { findingRows, rowsByObject } from '../view/finding-rows.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { h } from './element.ts'
import { drawFinding } from './findings-view.ts'

/** The dialog; `show` opens, fills and closes it. */
export interface ObjectDialog {
  readonly element: HTMLElement
  show(state: PageState): void
}

/** Makes the dialog. */
export function createObjectDialog(emit: (event: PageEvent) => void): ObjectDialog {
  const title = h('h2', { id: 'object-title' })
  const found = h('ul', { class: 'findings' })
  const code = h('code', {})
  const text = h('pre', { class: 'yaml', tabindex: '0', 'aria-label': 'The object as YAML' }, code)
  const close = h(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => element.close() },
    '✕',
  )
  const element = h(
    'dialog',
    { class: 'object-dialog', 'aria-labelledby': 'object-title' },
    h('div', { class: 'dialog-head' }, title, close),
    found,
    text,
  )
  element.addEventListener('close', () => emit({ kind: 'object-closed' }))
  // A click beside the dialog's content is one on its backdrop.
  element.addEventListener('click', (event) => event.target === element && element.close())
  let drawn: PageState['object']
  return {
    element,
    show: ({ object, findings = [], problems = [] }) => {
      if (object === drawn) return
      drawn = object
      if (object === undefined) {
        if (element.open) element.close()
        return
      }
      title.textContent = printRef(object.ref)
      found.replaceChildren(
        ...(rowsByObject(findingRows(findings, problems)).get(printRef(object.ref)) ?? []).map((row) =>
          drawFinding(row, undefined),
        ),
      )
      code.textContent = object.text ?? '…'
      if (!element.open) element.showModal()
    },
  }
}
