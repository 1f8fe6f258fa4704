// Corefile text → words (caddyfile lexer as CoreDNS uses it). Environment variables are put in later, word by word.

import type { DirectiveToken } from './directive.ts'

/** A word and whether it is the first of its line. */
export interface Token extends DirectiveToken {
  readonly startsLine: boolean
}

/** Splits a text into words; nothing is refused here, an open quote runs to the end of the text. */
export function lexCorefile(text: string, file: string): Token[] {
  const tokens: Token[] = []
  let value = ''
  let state: 'space' | 'word' | 'quoted' | 'comment' = 'space'
  let line = 1
  let start = 1
  let lastLine = 0
  const push = (): void => {
    tokens.push({ text: value, file, line: start, startsLine: start !== lastLine })
    lastLine = line
    value = ''
    state = 'space'
  }
  const characters = text.replaceAll('\r', '').replace(/^\ufeff/, '')
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i] ?? ''
    if (state === 'quoted') {
      if (c === '\\' && characters[i + 1] === '"') value += characters[++i]
      else if (c === '"') push()
      else value += c
      if (c === '\n') line++
      continue
    }
    if (/\s/.test(c)) {
      // COMPAT: a # inside a word ends the word, and the comment with it, at the next white space (caddyfile lexer).
      if (value !== '') push()
      else if (c === '\n') state = 'space'
      if (c === '\n') line++
      continue
    }
    if (c === '#') state = 'comment'
    if (state === 'comment') continue
    if (value === '' && state === 'space') {
      start = line
      state = c === '"' ? 'quoted' : 'word'
      if (c === '"') continue
    }
    value += c
  }
  if (value !== '' || state === 'quoted') push()
  return tokens
}

/** Puts environment variables in place of `{$NAME}` and `{%NAME%}`; empty references stay as they are. */
export function expandEnvironment(text: string, environment: (name: string) => string | undefined): string {
  if (!text.includes('{')) return text
  const expand = (whole: string, name: string): string => (name === '' ? whole : (environment(name) ?? ''))
  return text.replaceAll(/\{\$([^{}]*)\}/g, expand).replaceAll(/\{%([^{}%]*)%\}/g, expand)
}
