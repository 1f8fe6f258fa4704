// Wanted values against found ones (cases/api/README.md, "Matching"), and the texts kept on the way.

import type { Words } from './scenario.ts'

/** What a scenario keeps: texts and numbers by name. */
export type Kept = Map<string, string | number>

/** Replaces `{{NAME}}` in every text of a value; unknown names stay. */
export function fillIn<T>(value: T, kept: Kept): T {
  if (typeof value === 'string') {
    return value.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(kept.get(name) ?? whole)) as T
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item as unknown, kept)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillIn(key, kept), fillIn(item as unknown, kept)]),
  ) as T
}

/** Why a found value does not fit, or `undefined`; keeps what the wanted one says to keep. */
export function mismatch(wanted: unknown, found: unknown, kept: Kept, path: string = ''): string | undefined {
  if (typeof wanted === 'string') return textMismatch(fillIn(wanted, kept), found, kept, path)
  if (Array.isArray(wanted)) return listMismatch(wanted, found, kept, path)
  if (typeof wanted === 'object' && wanted !== null) return objectMismatch(wanted as Words, found, kept, path)
  return Object.is(wanted, found) ? undefined : says(path, wanted, found)
}

function textMismatch(wanted: string, found: unknown, kept: Kept, path: string): string | undefined {
  if (wanted === '$any') return found === undefined ? says(path, wanted, found) : undefined
  if (wanted === '$absent') return found === undefined ? undefined : says(path, wanted, found)
  const word = /^\$(save|same|other|newer):(.+)$/s.exec(wanted)
  if (word) return wordMismatch(word[1] ?? '', word[2] ?? '', found, kept, path)
  if (wanted.length > 1 && wanted.startsWith('/') && wanted.endsWith('/')) {
    const fits = typeof found === 'string' && new RegExp(wanted.slice(1, -1)).test(found)
    return fits ? undefined : says(path, wanted, found)
  }
  return wanted === found ? undefined : says(path, wanted, found)
}

function wordMismatch(word: string, name: string, found: unknown, kept: Kept, path: string): string | undefined {
  if (word === 'save') {
    if (typeof found !== 'string' && typeof found !== 'number') return says(path, '$save', found)
    kept.set(name, found)
    return undefined
  }
  const known = kept.get(name)
  const fits = word === 'same' ? found === known : word === 'other' ? found !== known : isNewer(found, known)
  return fits ? undefined : says(path, `$${word}:${name} (${known})`, found)
}

function isNewer(found: unknown, known: string | number | undefined): boolean {
  if (typeof found !== 'string' || typeof known !== 'string') return false
  return found.length > known.length || (found.length === known.length && found > known)
}

function listMismatch(wanted: readonly unknown[], found: unknown, kept: Kept, path: string): string | undefined {
  if (!Array.isArray(found)) return says(path, wanted, found)
  if (found.length !== wanted.length) return says(`${path}.length`, wanted.length, found)
  for (const [i, item] of wanted.entries()) {
    const why = mismatch(item, found[i], kept, `${path}[${i}]`)
    if (why !== undefined) return why
  }
  return undefined
}

function objectMismatch(wanted: Words, found: unknown, kept: Kept, path: string): string | undefined {
  if ('$exactly' in wanted) return exactMismatch(wanted['$exactly'] as Words, found, kept, path)
  if ('$length' in wanted) {
    return Array.isArray(found) && found.length === wanted['$length'] ? undefined : says(path, wanted, found)
  }
  if ('$contains' in wanted || '$without' in wanted) {
    if (!Array.isArray(found)) return says(path, wanted, found)
    for (const item of (wanted['$contains'] as readonly unknown[] | undefined) ?? []) {
      if (!found.some((each) => fits(item, each, kept))) return says(`${path} contains`, item, found)
    }
    for (const item of (wanted['$without'] as readonly unknown[] | undefined) ?? []) {
      if (found.some((each) => fits(item, each, kept))) return says(`${path} without`, item, found)
    }
    return undefined
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return says(path, wanted, found)
  for (const [key, item] of Object.entries(wanted)) {
    const name = fillIn(key, kept)
    const value = Object.hasOwn(found, name) ? (found as Words)[name] : undefined
    const why = mismatch(item, value, kept, path === '' ? name : `${path}.${name}`)
    if (why !== undefined) return why
  }
  return undefined
}

function exactMismatch(wanted: Words, found: unknown, kept: Kept, path: string): string | undefined {
  const why = mismatch(wanted, found, kept, path)
  if (why !== undefined) return why
  const names = Object.keys(wanted).map((key) => fillIn(key, kept))
  const extra = Object.keys(found as object).filter((key) => !names.includes(key))
  return extra.length === 0 ? undefined : `${path || 'body'}: has more than wanted: ${extra.join(', ')}`
}

// A try that does not fit must leave nothing kept behind.
function fits(wanted: unknown, found: unknown, kept: Kept): boolean {
  const trial: Kept = new Map(kept)
  if (mismatch(wanted, found, trial) !== undefined) return false
  for (const [name, value] of trial) kept.set(name, value)
  return true
}

function says(path: string, wanted: unknown, found: unknown): string {
  const cut = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 400)
  return `${path || 'value'}: wanted ${cut(wanted)}, found ${cut(found)}`
}
