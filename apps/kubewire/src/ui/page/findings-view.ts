// What is wrong or will surprise: lint findings and problems of the generators, the worst first.

import type { ObjectRef } from '@kubewire/kube-model'
import { type FindingRow, findingRows } from '../view/finding-rows.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { h } from './element.ts'
import { objectChip } from './object-chip.ts'

/** The view; `show` draws what has changed. */
export interface FindingsView {
  readonly element: HTMLElement
  show(state: PageState): void
}

const mostRows = 300

/** Makes the view. */
export function createFindingsView(emit: (event: PageEvent) => void): FindingsView {
  const body = h('div', {})
  const element = h('section', { class: 'view findings-view', 'aria-label': 'Findings' }, h('h1', {}, 'Findings'), body)
  const open = (ref: ObjectRef): void => emit({ kind: 'object-wanted', ref })
  let drawn: PageState['findings'] | 'nothing' = 'nothing'
  return {
    element,
    show: ({ findings, problems }) => {
      if (drawn === findings) return
      drawn = findings
      if (findings === undefined || problems === undefined) {
        body.replaceChildren(h('p', { class: 'waiting' }, 'Looking at the objects …'))
        return
      }
      body.replaceChildren(...drawRows(findingRows(findings, problems), open))
    },
  }
}

function drawRows(rows: readonly FindingRow[], open: (ref: ObjectRef) => void): readonly HTMLElement[] {
  if (rows.length === 0) {
    const text = 'No rule and no generator has anything to say about these objects.'
    return [h('div', { class: 'empty' }, h('h2', {}, 'Nothing found'), h('p', {}, text))]
  }
  const list = h('ul', { class: 'findings' }, ...rows.slice(0, mostRows).map((row) => drawFinding(row, open)))
  if (rows.length <= mostRows) return [list]
  return [list, h('p', { class: 'quiet' }, `and ${rows.length - mostRows} more; kubewire lint prints them all`)]
}

/** One line of the list. */
export function drawFinding(row: FindingRow, open: ((ref: ObjectRef) => void) | undefined): HTMLElement {
  const { severity, message, aftermath, object, path, code, place, suppression } = row
  return h(
    'li',
    { class: `finding is-${severity}${suppression === undefined ? '' : ' is-set-aside'}` },
    h('p', { class: 'finding-message' }, h('span', { class: 'severity' }, severity), ` ${message}`),
    aftermath !== '' && h('p', { class: 'quiet' }, aftermath),
    suppression !== undefined && h('p', { class: 'quiet' }, `set aside ${suppression}`),
    h(
      'p',
      { class: 'finding-place' },
      open !== undefined && objectChip(object, open),
      path !== '' && h('code', {}, path),
      h('span', { class: 'quiet' }, [code, place].filter(Boolean).join(' · ')),
    ),
  )
}
