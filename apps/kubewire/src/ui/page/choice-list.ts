// The list under a field: options one can point at, walked by the keys of the field it belongs to.

import type { Suggestion } from '../view/suggest.ts'
import { h } from './element.ts'

/** A list of choices. */
export interface ChoiceList {
  readonly element: HTMLElement
  isOpen(): boolean
  open(choices: readonly Suggestion[]): void
  close(): void
  /** Marks the next choice, or the one before; beyond either end none is marked. */
  move(step: 1 | -1): void
  /** The marked choice. */
  marked(): Suggestion | undefined
}

/** Makes the list of `input`, which says to assistive technology what is open and marked. */
export function createChoiceList(
  input: HTMLInputElement,
  id: string,
  label: string,
  take: (choice: Suggestion) => void,
): ChoiceList {
  const element = h('ul', { id, role: 'listbox', class: 'choices', 'aria-label': label, hidden: true })
  let choices: readonly Suggestion[] = []
  let active = -1
  const mark = (next: number): void => {
    active = next
    for (const [at, option] of [...element.children].entries()) {
      option.setAttribute('aria-selected', String(at === active))
      if (at === active) option.scrollIntoView({ block: 'nearest' })
    }
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${id}-${active}`)
  }
  const show = (isOpen: boolean): void => {
    element.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    mark(-1)
  }
  return {
    element,
    isOpen: () => !element.hidden,
    open: (next) => {
      choices = next
      element.replaceChildren(...choices.map((choice, at) => drawChoice(choice, `${id}-${at}`, take)))
      show(choices.length > 0)
    },
    close: () => show(false),
    // One place beside the choices is the field itself.
    move: (step) => mark(((active + 1 + step + choices.length + 1) % (choices.length + 1)) - 1),
    marked: () => choices[active],
  }
}

function drawChoice(choice: Suggestion, id: string, take: (choice: Suggestion) => void): HTMLElement {
  // Before the field loses focus and closes the list.
  const onpointerdown = (event: PointerEvent): void => {
    event.preventDefault()
    take(choice)
  }
  return h(
    'li',
    { id, role: 'option', 'aria-selected': 'false', onpointerdown },
    h('span', { class: 'choice' }, choice.value),
    h('span', { class: 'hint' }, choice.hint),
  )
}
