// A field with a list of what could be meant (WAI-ARIA combobox, list autocomplete): arrows choose, Enter takes, Escape
// closes. What is typed counts as it is; the list only helps.

import { matchSuggestions, type Suggestion } from '../view/suggest.ts'
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
  const listId = `${id}-list`
  const input = h('input', {
    id,
    name: id,
    type: 'text',
    role: 'combobox',
    placeholder,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: isRequired,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
  })
  const list = h('ul', {
    id: listId,
    role: 'listbox',
    class: 'choices',
    'aria-label': `${label}: suggestions`,
    hidden: true,
  })
  const element = h('div', { class: 'field' }, h('label', { for: id }, label), input, list)
  let choices: readonly Suggestion[] = []
  let active = -1

  const close = (): void => {
    list.hidden = true
    active = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const mark = (next: number): void => {
    active = next
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === active))
      if (at === active) option.scrollIntoView({ block: 'nearest' })
    }
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${active}`)
  }
  const take = (choice: Suggestion): void => {
    input.value = choice.value
    close()
    onChange()
  }
  const open = (): void => {
    choices = matchSuggestions(all(), input.value)
    const [only] = choices
    if (choices.length === 0 || (choices.length === 1 && only?.value === input.value)) {
      close()
      return
    }
    list.replaceChildren(
      ...choices.map((choice, at) =>
        h(
          'li',
          {
            id: `${listId}-${at}`,
            role: 'option',
            'aria-selected': 'false',
            // Before the field loses focus and closes the list.
            onpointerdown: (event: PointerEvent) => {
              event.preventDefault()
              take(choice)
            },
          },
          h('span', { class: 'choice' }, choice.value),
          h('span', { class: 'hint' }, choice.hint),
        ),
      ),
    )
    list.hidden = false
    active = -1
    input.setAttribute('aria-expanded', 'true')
    input.removeAttribute('aria-activedescendant')
  }
  const onKey = (event: KeyboardEvent): void => {
    const isOpen = !list.hidden
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) {
        open()
        return
      }
      const step = event.key === 'ArrowDown' ? 1 : -1
      // One place beside the list is the field itself.
      mark(((active + 1 + step + choices.length + 1) % (choices.length + 1)) - 1)
    } else if (event.key === 'Enter' && isOpen && active >= 0) {
      event.preventDefault()
      const choice = choices[active]
      if (choice !== undefined) take(choice)
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    }
  }
  input.addEventListener('input', () => {
    open()
    onChange()
  })
  input.addEventListener('keydown', onKey)
  input.addEventListener('click', () => list.hidden && open())
  input.addEventListener('blur', close)
  return { element, input }
}
