// The values that flags take: text → value, by kind, with Go's spellings and messages.

import { parseGoDuration } from '@kubewire/kube-model'

/** What a flag takes, by kind; durations are milliseconds. */
export interface FlagValue {
  readonly string: string
  readonly bool: boolean
  readonly int: number
  readonly float: number
  readonly duration: number
  /** Comma-separated; a repeated flag adds to the list (pflag `stringSlice`). */
  readonly list: readonly string[]
  /** One value each time the flag is given; commas have no meaning (pflag `stringArray`). */
  readonly array: readonly string[]
  /** `a=b,c=d`; a repeated flag adds (component-base `mapStringString`). */
  readonly map: { readonly [key: string]: string }
}

/** A value, or why the text is none, in the words of Go's strconv and time packages. */
export interface ParsedText {
  readonly value?: unknown
  readonly error?: string
}

/** One reader for each kind; `before` is what the same flag gave earlier on the command line. */
export const flagParsers: {
  readonly [K in keyof FlagValue]: (text: string, before: unknown) => ParsedText
} = {
  string: (text) => ({ value: text }),
  bool: (text) => {
    // Go strconv.ParseBool's spellings.
    if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return { value: true }
    if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return { value: false }
    return { error: `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax` }
  },
  int: (text) => {
    const isNumber = /^[+-]?(?:[0-9]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(text)
    const value = Number(text.replace(/^\+/, ''))
    if (isNumber && Number.isSafeInteger(value)) return { value }
    return { error: `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax` }
  },
  float: (text) => {
    const value = Number(text)
    if (text.trim() === text && text !== '' && !Number.isNaN(value)) return { value }
    return { error: `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax` }
  },
  duration: (text) => {
    const value = parseGoDuration(text)
    if (value !== undefined) return { value }
    const hint = /^[0-9.]+$/.test(text) ? 'missing unit in' : 'invalid'
    return { error: `time: ${hint} duration ${JSON.stringify(text)}` }
  },
  list: (text, before) => ({
    value: [...((before as readonly string[] | undefined) ?? []), ...(text === '' ? [] : text.split(','))],
  }),
  array: (text, before) => ({ value: [...((before as readonly string[] | undefined) ?? []), text] }),
  map: (text, before) => {
    const map: Record<string, string> = { ...((before as Record<string, string> | undefined) ?? {}) }
    for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
      const equals = pair.indexOf('=')
      if (equals < 0) return { error: `malformed pair, expect string=string` }
      map[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim()
    }
    return { value: map }
  },
}
