import { describe, expect, test } from 'vitest'
import type { Question } from '../engine/question.ts'
import { readTyped } from './read-typed.ts'

describe('one line as it is typed or pasted', () => {
  const connection = { kind: 'connection', protocol: '', node: '' } as const
  test.each<readonly [string, Question | undefined, string]>([
    ['', undefined, 'nothing asks nothing'],
    ['tea.shop', { kind: 'name', name: 'tea.shop', type: 'A', client: '' }, 'a word is a name'],
    ['tea.shop aaaa', { kind: 'name', name: 'tea.shop', type: 'AAAA', client: '' }, 'a second word is its type'],
    [
      'https://shop.example.org/a b',
      { kind: 'name', name: 'https://shop.example.org/a', type: 'B', client: '' },
      'a URL has no spaces: this is refused later, as a name',
    ],
    [
      'https://shop.example.org/',
      { kind: 'url', method: 'GET', url: 'https://shop.example.org/', headers: [] },
      'a URL',
    ],
    [
      'post HTTP://a.example.org',
      { kind: 'url', method: 'POST', url: 'HTTP://a.example.org', headers: [] },
      'a method',
    ],
    ['192.0.2.9 -> service/shop/tea', { ...connection, from: '192.0.2.9', to: 'service/shop/tea' }, 'an arrow'],
    [
      'pod/a/b → 10.96.0.1:53 udp',
      { ...connection, from: 'pod/a/b', to: '10.96.0.1:53', protocol: 'udp' },
      'a protocol',
    ],
    ['192.0.2.9 to 10.96.0.1:80', { ...connection, from: '192.0.2.9', to: '10.96.0.1:80' }, 'the word to'],
  ])('%j is %j: %s', (text, question) => {
    expect(readTyped(text)).toEqual(question)
  })
})
