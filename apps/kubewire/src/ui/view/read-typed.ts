// One line as a person types or pastes it → a question: a URL, a connection with an arrow, otherwise a name.

import type { Question } from '../engine/question.ts'

/** `GET https://…`, `pod/shop/tea-1 → service/shop/milk`, `tea.shop AAAA`; `undefined` for an empty line. */
export function readTyped(text: string): Question | undefined {
  const line = text.trim()
  if (line === '') return undefined
  const [, method, url] = /^(?:([A-Za-z]+)\s+)?(https?:\/\/\S*)$/i.exec(line) ?? []
  if (url !== undefined) return { kind: 'url', method: (method ?? 'GET').toUpperCase(), url, headers: [] }
  const [, from, to, protocol = ''] = /^(.+?)\s*(?:→|->|=>|\sto\s)\s*(\S+)(?:\s+(tcp|udp|sctp))?$/i.exec(line) ?? []
  if (from !== undefined && to !== undefined) {
    return { kind: 'connection', from: from.trim(), to, protocol: protocol.toLowerCase(), node: '' }
  }
  const [name = '', type = 'A'] = line.split(/\s+/)
  return { kind: 'name', name, type: type.toUpperCase(), client: '' }
}
