// The fields of each kind of question, and what they say as a question.

import type { ConnectionAsked, NameAsked, Question, UrlAsked } from '../engine/question.ts'
import type { Drafts } from '../view/page-state.ts'
import type { SuggestField } from '../view/suggest.ts'
import type { Combobox } from './combobox.ts'
import { h } from './element.ts'

/** The fields of one kind. */
export interface AskFields<Q extends Question = Question> {
  readonly element: HTMLElement
  /** Where typing starts. */
  readonly first: HTMLInputElement
  read(): Q
  /** Fills them in; what is being typed stays. */
  show(drafts: Drafts): void
}

/** Makes one field that suggests what the cluster has. */
export type MakeCombobox = (id: SuggestField, label: string, placeholder: string, isRequired?: boolean) => Combobox

/** A name, its type, and who asks. */
export function createNameFields(combobox: MakeCombobox, onChange: () => void): AskFields<NameAsked> {
  const name = combobox('name', 'Name', 'tea.shop.svc.cluster.local', true)
  const type = createSelect('ask-type', 'Type', ['A', 'AAAA', 'SRV', 'CNAME', 'PTR', 'TXT', 'SOA', 'NS'], onChange)
  const client = combobox('client', 'Asked by', 'anyone, or pod/shop/toolbox')
  return {
    element: h('div', { class: 'fields fields-name' }, name.element, type.element, client.element),
    first: name.input,
    read: () => ({
      kind: 'name',
      name: name.input.value.trim(),
      type: type.select.value,
      client: client.input.value.trim(),
    }),
    show: ({ name: draft }) => {
      fill(name.input, draft.name)
      fillSelect(type.select, draft.type)
      fill(client.input, draft.client)
    },
  }
}

/** Where a packet comes from and goes to, and whose rules it meets. */
export function createConnectionFields(combobox: MakeCombobox, onChange: () => void): AskFields<ConnectionAsked> {
  const from = combobox('from', 'From', '192.0.2.99 or pod/shop/toolbox', true)
  const to = combobox('to', 'To', 'service/shop/tea or 10.96.10.1:80', true)
  const protocol = createSelect('ask-protocol', 'Protocol', ['', 'tcp', 'udp', 'sctp'], onChange)
  const node = combobox('node', 'Rules of node', 'the first one')
  const arrow = h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→')
  return {
    element: h(
      'div',
      { class: 'fields fields-connection' },
      from.element,
      arrow,
      to.element,
      protocol.element,
      node.element,
    ),
    first: from.input,
    read: () => ({
      kind: 'connection',
      from: from.input.value.trim(),
      to: to.input.value.trim(),
      protocol: protocol.select.value,
      node: node.input.value.trim(),
    }),
    show: ({ connection: draft }) => {
      fill(from.input, draft.from)
      fill(to.input, draft.to)
      fillSelect(protocol.select, draft.protocol)
      fill(node.input, draft.node)
    },
  }
}

/** A method, a URL, a header. */
export function createUrlFields(combobox: MakeCombobox, onChange: () => void): AskFields<UrlAsked> {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const method = createSelect('ask-method', 'Method', methods, onChange)
  const url = combobox('url', 'URL', 'https://shop.example.org/', true)
  const header = h('input', {
    id: 'ask-header',
    type: 'text',
    placeholder: 'Name: value',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: onChange,
  })
  const headerField = h('div', { class: 'field field-header' }, h('label', { for: 'ask-header' }, 'Header'), header)
  return {
    element: h('div', { class: 'fields fields-url' }, method.element, url.element, headerField),
    first: url.input,
    read: () => ({
      kind: 'url',
      method: method.select.value,
      url: url.input.value.trim(),
      headers: header.value.trim() === '' ? [] : [header.value.trim()],
    }),
    show: ({ url: draft }) => {
      fillSelect(method.select, draft.method)
      fill(url.input, draft.url)
      fill(header, draft.headers[0] ?? '')
    },
  }
}

function createSelect(
  id: string,
  label: string,
  values: readonly string[],
  onChange: () => void,
): { readonly element: HTMLElement; readonly select: HTMLSelectElement } {
  const options = values.map((value) => h('option', { value }, value === '' ? 'its own' : value))
  const select = h('select', { id, onchange: onChange }, ...options)
  return { element: h('div', { class: 'field field-small' }, h('label', { for: id }, label), select), select }
}

function fill(input: HTMLInputElement, value: string): void {
  if (input.value.trim() !== value) input.value = value
}

// A link may name a type that the list does not hold.
function fillSelect(select: HTMLSelectElement, value: string): void {
  if (![...select.options].some((option) => option.value === value)) select.append(h('option', { value }, value))
  select.value = value
}
