// The three forms: a name, a connection, a URL. Only one is shown; each keeps what was typed.

import type { Question, QuestionKind } from '../engine/question.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { readTyped } from '../view/read-typed.ts'
import { type SuggestField, suggestions } from '../view/suggest.ts'
import { type Combobox, createCombobox } from './combobox.ts'
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
  const combobox = (id: SuggestField, label: string, placeholder: string, isRequired = false): Combobox =>
    createCombobox({
      id: `ask-${id}`,
      label,
      placeholder,
      isRequired,
      all: () => {
        const { summary } = state()
        return summary === undefined ? [] : suggestions(summary, id)
      },
      onChange: () => emit({ kind: 'drafted', question: read() }),
    })
  const name = combobox('name', 'Name', 'tea.shop.svc.cluster.local', true)
  const type = select('ask-type', 'Type', ['A', 'AAAA', 'SRV', 'CNAME', 'PTR', 'TXT', 'SOA', 'NS'])
  const client = combobox('client', 'Asked by', 'anyone, or pod/shop/tea-1')
  const from = combobox('from', 'From', '192.0.2.99 or pod/shop/tea-1', true)
  const to = combobox('to', 'To', 'service/shop/tea or 10.96.10.1:80', true)
  const protocol = select('ask-protocol', 'Protocol', ['', 'tcp', 'udp', 'sctp'])
  const node = combobox('node', 'Rules of node', 'the first one')
  const method = select('ask-method', 'Method', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  const url = combobox('url', 'URL', 'https://shop.example.org/', true)
  const header = h('input', {
    id: 'ask-header',
    type: 'text',
    placeholder: 'Name: value',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const headerField = h('div', { class: 'field' }, h('label', { for: 'ask-header' }, 'Header'), header)
  const forms: Record<QuestionKind, HTMLElement> = {
    name: h('div', { class: 'fields fields-name' }, name.element, type.element, client.element),
    connection: h(
      'div',
      { class: 'fields fields-connection' },
      from.element,
      h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
      to.element,
      protocol.element,
      node.element,
    ),
    url: h('div', { class: 'fields fields-url' }, method.element, url.element, headerField),
  }
  const first: Record<QuestionKind, HTMLInputElement> = { name: name.input, connection: from.input, url: url.input }
  let kind: QuestionKind = 'name'

  const read = (): Question => {
    if (kind === 'name') {
      return { kind, name: name.input.value.trim(), type: type.select.value, client: client.input.value.trim() }
    }
    if (kind === 'connection') {
      const [fromText, toText] = [from.input.value.trim(), to.input.value.trim()]
      return { kind, from: fromText, to: toText, protocol: protocol.select.value, node: node.input.value.trim() }
    }
    const headers = header.value.trim() === '' ? [] : [header.value.trim()]
    return { kind, method: method.select.value, url: url.input.value.trim(), headers }
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    const question = read()
    // A URL or an arrow in any first field says what is meant.
    const typed = readTyped(first[kind].value)
    emit({
      kind: 'asked',
      question: typed !== undefined && typed.kind !== kind && typed.kind !== 'name' ? typed : question,
    })
  }
  const tabs = kinds.map(([value, label, key]) => {
    const radio = h('input', {
      type: 'radio',
      name: 'ask-kind',
      value,
      id: `kind-${value}`,
      'aria-keyshortcuts': key,
      onchange: () => emit({ kind: 'form-chosen', form: value }),
    })
    return { value, radio, element: h('label', { class: 'tab', for: `kind-${value}` }, radio, h('span', {}, label)) }
  })
  const form = h(
    'form',
    { class: 'ask-form', onsubmit: submit, 'aria-label': 'Ask for a path' },
    ...Object.values(forms),
    h('button', { class: 'go', type: 'submit' }, 'Trace'),
  )
  for (const control of [type.select, protocol.select, method.select, header]) {
    control.addEventListener('change', () => emit({ kind: 'drafted', question: read() }))
  }
  return {
    element: h(
      'section',
      { class: 'ask', 'aria-label': 'Ask' },
      h(
        'fieldset',
        { class: 'tabs' },
        h('legend', { class: 'unseen' }, 'What to trace'),
        ...tabs.map((tab) => tab.element),
      ),
      form,
    ),
    show: ({ form: wanted, drafts }) => {
      kind = wanted
      for (const { value, radio } of tabs) radio.checked = value === wanted
      for (const { 0: value } of kinds) forms[value].hidden = value !== wanted
      set(name.input, drafts.name.name)
      set(client.input, drafts.name.client)
      setSelect(type.select, drafts.name.type)
      set(from.input, drafts.connection.from)
      set(to.input, drafts.connection.to)
      setSelect(protocol.select, drafts.connection.protocol)
      set(node.input, drafts.connection.node)
      setSelect(method.select, drafts.url.method)
      set(url.input, drafts.url.url)
      set(header, drafts.url.headers[0] ?? '')
      // Fields of the other forms are not asked for.
      for (const { 0: value } of kinds) {
        for (const input of forms[value].querySelectorAll('input')) input.disabled = value !== wanted
      }
    },
    focus: () => {
      first[kind].focus()
      first[kind].select()
    },
  }
}

function select(
  id: string,
  label: string,
  values: readonly string[],
): { element: HTMLElement; select: HTMLSelectElement } {
  const field = h('select', { id }, ...values.map((value) => h('option', { value }, value === '' ? 'its own' : value)))
  return { element: h('div', { class: 'field field-small' }, h('label', { for: id }, label), field), select: field }
}

function set(input: HTMLInputElement, value: string): void {
  if (input.value.trim() !== value) input.value = value
}

// A link may name a type that the list does not hold.
function setSelect(field: HTMLSelectElement, value: string): void {
  if (![...field.options].some((option) => option.value === value)) field.append(h('option', { value }, value))
  field.value = value
}
