// Keys that a scenario format does not have. A misspelt key would be a probe that nobody asks: readers refuse the file.

/**
 * The keys of one level: a name leads to the keys below it, or to `any` where nothing is looked at. Lists are walked
 * through: the keys of a list are those of its elements.
 */
export type CaseKeys = 'any' | { readonly [key: string]: CaseKeys }

/** Steps from the top of a file to a value: names of keys and indexes of lists. */
export type CasePath = readonly (string | number)[]

/** Names that lead to anything, from one line of text. */
export function anyOf(names: string): { readonly [key: string]: CaseKeys } {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'any' as const]))
}

/** Places of all keys that are not in the table, in the order of the file. */
export function unknownKeys(value: unknown, known: CaseKeys): readonly CasePath[] {
  if (known === 'any' || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, at) => below(at, unknownKeys(item, known)))
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = Object.hasOwn(known, key) ? known[key] : undefined
    return next === undefined ? [[key]] : below(key, unknownKeys(inner, next))
  })
}

/** `steps[0].queries[2].expect.rcod`. */
export function printCasePath(path: CasePath): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return text.startsWith('.') ? text.slice(1) : text
}

function below(step: string | number, paths: readonly CasePath[]): CasePath[] {
  return paths.map((path) => [step, ...path])
}
