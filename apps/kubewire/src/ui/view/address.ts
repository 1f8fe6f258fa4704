// What is shown ↔ the part of the address after `#`, so that a path can be shared as a link.

import type { Question } from '../engine/question.ts'

/** What a link leads to. */
export type Address =
  | { readonly view: 'map' }
  | { readonly view: 'findings' }
  | { readonly view: 'path'; readonly question: Question; readonly card: string }

/** `#url?method=GET&url=https%3A%2F%2Fshop.example.org%2F`; fields that say nothing are left out. */
export function printAddress(address: Address): string {
  if (address.view !== 'path') return `#${address.view}`
  const { question, card } = address
  const fields = new URLSearchParams()
  const add = (name: string, value: string, usual = ''): void => {
    if (value !== usual) fields.append(name, value)
  }
  switch (question.kind) {
    case 'name':
      add('name', question.name)
      add('type', question.type, 'A')
      add('client', question.client)
      break
    case 'connection':
      add('from', question.from)
      add('to', question.to)
      add('protocol', question.protocol)
      add('node', question.node)
      break
    case 'url':
      add('method', question.method, 'GET')
      add('url', question.url)
      for (const header of question.headers) add('header', header)
  }
  add('at', card)
  return `#${question.kind}?${fields.toString()}`
}

/** What a link means; the map where it means nothing. */
export function parseAddress(hash: string): Address {
  const [, word = '', query = ''] = /^#?([a-z]*)(?:\?(.*))?$/s.exec(hash) ?? []
  const fields = new URLSearchParams(query)
  const get = (name: string, usual = ''): string => fields.get(name) ?? usual
  const card = get('at')
  switch (word) {
    case 'findings':
      return { view: 'findings' }
    case 'name':
      return {
        view: 'path',
        card,
        question: { kind: 'name', name: get('name'), type: get('type', 'A'), client: get('client') },
      }
    case 'connection':
      return {
        view: 'path',
        card,
        question: {
          kind: 'connection',
          from: get('from'),
          to: get('to'),
          protocol: get('protocol'),
          node: get('node'),
        },
      }
    case 'url':
      return {
        view: 'path',
        card,
        question: { kind: 'url', method: get('method', 'GET'), url: get('url'), headers: fields.getAll('header') },
      }
    default:
      return { view: 'map' }
  }
}
