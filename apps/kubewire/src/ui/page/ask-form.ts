// The three forms: a name, a connection, a URL. Only one is shown; each keeps what was typed.

import type { QuestionKind } from '../engine/question.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { readTyped } from '../view/read-typed.ts'
import { suggestions } from '../view/suggest.ts'
import {
  type AskFields,
  createConnectionFields,
  createNameFields,
  createUrlFields,
  type MakeCombobox,
} from './ask-fields.ts'
import { createCombobox } from './combobox.ts'
import { h } from './element.ts'

/** The forms. */
export interface AskForm {
  readonly element: HTMLElement
  /** Brings the fields in line with the state; what is being typed stays. */
  show(state: PageState): void
  /** Puts the cursor into the first field of the form. */
  focus(): void
}

const kinds: readonly (readonly [kind: QuestionKind, label: string, key: string])[] = [
  ['name', 'Name', 'n'],
  ['connection', 'Connection', 'c'],
  ['url', 'URL', 'u'],
]

/** Makes the forms. */
export function createAskForm(state: () => PageState, emit: (event: PageEvent) => void): AskForm {
  let kind: QuestionKind = 'name'
  const onChange = (): void => emit({ kind: 'drafted', question: fields[kind].read() })
  const combobox: MakeCombobox = (id, label, placeholder, isRequired = false) =>
    createCombobox({
      id: `ask-${id}`,
      label,
      placeholder,
      isRequired,
      all: () => {
        const { summary } = state()
        return summary === undefined ? [] : suggestions(summary, id)
      },
      onChange,
    })
  const fields: Readonly<Record<QuestionKind, AskFields>> = {
    name: createNameFields(combobox, onChange),
    connection: createConnectionFields(combobox, onChange),
    url: createUrlFields(combobox, onChange),
  }
  const onsubmit = (event: Event): void => {
    event.preventDefault()
    // A URL or an arrow in any first field says what is meant.
    const typed = readTyped(fields[kind].first.value)
    const isOtherKind = typed !== undefined && typed.kind !== kind && typed.kind !== 'name'
    emit({ kind: 'asked', question: isOtherKind ? typed : fields[kind].read() })
  }
  const radios = kinds.map(([value, , key]) => {
    const onchange = (): void => emit({ kind: 'form-chosen', form: value })
    return h('input', { type: 'radio', name: 'ask-kind', value, 'aria-keyshortcuts': key, onchange })
  })
  const tabs = kinds.map(([, label], at) => h('label', { class: 'tab' }, radios[at], h('span', {}, label)))
  const all = Object.values(fields).map(({ element }) => element)
  return {
    element: h(
      'section',
      { class: 'ask', 'aria-label': 'Ask' },
      h('fieldset', { class: 'tabs' }, h('legend', { class: 'unseen' }, 'What to trace'), ...tabs),
      h(
        'form',
        { class: 'ask-form', 'aria-label': 'Ask for a path', onsubmit },
        ...all,
        h('button', { class: 'go', type: 'submit' }, 'Trace'),
      ),
    ),
    show: ({ form: wanted, drafts }) => {
      kind = wanted
      for (const [at, [value]] of kinds.entries()) {
        const { element, show } = fields[value]
        const radio = radios[at]
        if (radio !== undefined) radio.checked = value === wanted
        element.hidden = value !== wanted
        // Fields of the other forms are not asked for.
        for (const input of element.querySelectorAll('input')) input.disabled = value !== wanted
        show(drafts)
      }
    },
    focus: () => {
      fields[kind].first.focus()
      fields[kind].first.select()
    },
  }
}
