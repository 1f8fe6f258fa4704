import { expect, test } from 'vitest'
import { diffEffects, type Effect, printChanges } from './effect.ts'

const before = [
  { subject: 'tea', question: 'A', answer: '10.96.4.4' },
  { subject: 'tea', question: 'SRV', answer: 'same' },
  { subject: 'milk', question: 'A', answer: '10.96.4.5' },
]
const after = [
  { subject: 'tea', question: 'SRV', answer: 'same' },
  { subject: 'tea', question: 'A', answer: '10.96.4.9 | x' },
  { subject: 'cup', question: 'A', answer: '10.96.4.6' },
]
const changes = diffEffects(before, after)

test('only answers that differ are differences, whatever the order', () => {
  expect(changes).toEqual([
    { subject: 'cup', question: 'A', after: '10.96.4.6' },
    { subject: 'milk', question: 'A', before: '10.96.4.5' },
    { subject: 'tea', question: 'A', before: '10.96.4.4', after: '10.96.4.9 | x' },
  ])
  expect(diffEffects(before, [...before].reverse())).toEqual([])
})

test('a default is no difference to another default or to nothing, and is said where it is one', () => {
  const timeout = { subject: 'host', question: 'timeout' }
  const usual = { ...timeout, answer: '60', isDefault: true }
  expect(diffEffects([usual], [{ ...usual, answer: '90' }])).toEqual([])
  expect(diffEffects([], [usual])).toEqual([])
  expect(diffEffects([usual], [{ ...timeout, answer: '120', because: () => ['Ingress a x'] }])).toEqual([
    { ...timeout, before: '60 (the default)', after: '120', because: ['Ingress a x'] },
  ])
})

test('what differs alike in several places is told once', () => {
  const found = ['/b', '/a', '/c'].map((place) => ({
    subject: 'host',
    place,
    question: 'q',
    answer: place === '/c' ? '2' : '1',
  }))
  expect(diffEffects([], found)).toEqual([
    { subject: 'host', question: '/a, /b: q', after: '1' },
    { subject: 'host', question: '/c: q', after: '2' },
  ])
})

test('text groups by subject', () => {
  expect(printChanges(changes, 'text')).toBe(
    'cup\n  A\n  + 10.96.4.6\nmilk\n  A\n  - 10.96.4.5\ntea\n  A\n  - 10.96.4.4\n  + 10.96.4.9 | x\n',
  )
  expect(printChanges([], 'text')).toBe('')
})

test('Markdown is a table, in which nothing breaks a cell', () => {
  expect(printChanges(changes, 'markdown').split('\n')[4]).toBe('| tea | A | 10.96.4.4 | 10.96.4.9 \\| x |')
  expect(printChanges([], 'markdown')).toBe('No difference.\n')
})

test('a family that is switched on is one line, its cause first; one that changes is told part by part', () => {
  const part = (name: string, answer: string): Effect => ({
    subject: 'host a',
    place: '/',
    family: 'cors',
    question: `cors.${name}`,
    answer,
    because: () => ['Ingress a enable-cors'],
  })
  const on = [part('origins', '*'), part('methods', 'GET, PUT')]
  expect(printChanges(diffEffects([], on), 'text')).toBe(
    'host a\n  Ingress a enable-cors: /: cors\n  + origins *, methods GET, PUT\n',
  )
  expect(printChanges(diffEffects(on, []), 'text')).toContain('  - origins *, methods GET, PUT\n')
  expect(diffEffects(on, [part('origins', 'b'), part('methods', 'GET')]).map(({ question }) => question)).toEqual([
    '/: cors.methods',
    '/: cors.origins',
  ])
})
