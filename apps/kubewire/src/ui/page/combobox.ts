// A field with a list of what could be meant (WAI-ARIA combobox, list autocomplete): arrows choose, Enter takes, Escape
// closes. What is typed counts as it is; the list only helps.

import { matchSuggestions, type Suggestion } from '../view/suggest.ts'
import { createChoiceList } from './choice-list.ts'
import { h } from './element.ts'

/** A labelled field. */
export interface Combobox {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

/** What a field is. */
export interface ComboboxOptions {
  readonly id: string
  readonly label: string
  readonly placeholder: string
  readonly isRequired?: boolean
  /** Everything that could be meant, now. */
  readonly all: () => readonly Suggestion[]
  /** Called after every change. */
  readonly onChange: () => void
}

/** Makes a field. */
export function createCombobox({ id, label, placeholder, isRequired, all, onChange }: ComboboxOptions): Combobox {
  const input = h('input', {
    id,
    type: 'text',
    role: 'combobox',
    placeholder,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: isRequired,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': `${id}-list`,
  })
  const take = (choice: Suggestion): void => {
    input.value = choice.value
    list.close()
    onChange()
  }
  const list = createChoiceList(input, `${id}-list`, `${label}: suggestions`, take)
  const open = (): void => {
    const choices = matchSuggestions(all(), input.value)
    const [only] = choices
    list.open(choices.length === 1 && only?.value === input.value ? [] : choices)
  }
  const onKey = (event: KeyboardEvent): void => {
    const choice = list.marked()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.isOpen()) list.move(event.key === 'ArrowDown' ? 1 : -1)
      else open()
    } else if (event.key === 'Enter' && list.isOpen() && choice !== undefined) {
      event.preventDefault()
      take(choice)
    } else if (event.key === 'Escape' && list.isOpen()) {
      event.stopPropagation()
      list.close()
    }
  }
  input.addEventListener('input', () => {
    open()
    onChange()
  })
  input.addEventListener('keydown', onKey)
  input.addEventListener('click', () => list.isOpen() || open())
  input.addEventListener('blur', () => list.close())
  return { element: h('div', { class: 'field' }, h('label', { for: id }, label), input, list.element), input }
}
