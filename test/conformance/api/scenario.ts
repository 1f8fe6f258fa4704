// The format of the API cases (cases/api/README.md): shapes, and which keys exist. Unknown keys are errors of the file.

/** A JSON object of a case. */
export type Words = { readonly [key: string]: unknown }

/** One step. Exactly one of the keys of `stepKinds` is there. */
export type Step = Words

/** A file. */
export interface Scenario {
  readonly scenario: string
  readonly needs: readonly string[]
  readonly steps: readonly Step[]
  readonly cleanup: readonly Step[]
}

const request = ['query', 'headers', 'as', 'expect']
const stepKeys: { readonly [kind: string]: readonly string[] } = {
  do: [...request, 'body', 'fill', 'retry', 'saveHeader'],
  open: [...request, 'path'],
  read: ['events', 'within', 'ordered', 'bookmarks'],
  quiet: ['for'],
  ended: ['within'],
  close: [],
  compact: [],
  pause: [],
}

const scenarioKeys = ['scenario', 'about', 'needs', 'note', 'steps', 'cleanup']
const expectKeys = ['status', 'headers', 'body', 'text', 'seconds']

/** The kind of a step: the one bold key it has. */
export function kindOfStep(step: Step): string | undefined {
  return Object.keys(stepKeys).find((kind) => kind in step)
}

const stepWords = ['do', 'open', 'read', 'quiet', 'ended', 'close', 'compact', 'pause']

/** Whether a file has the shape of a scenario: other formats have `steps` too, but none whose steps are requests. */
export function isScenario(data: Words): boolean {
  if (typeof data['scenario'] !== 'string' || !Array.isArray(data['steps'])) return false
  return data['steps'].some((step: Words | null) => stepWords.some((word) => word in (step ?? {})))
}

/** The scenario of a file whose keys are all known. */
export function scenarioOf(data: Words): Scenario {
  return {
    scenario: String(data['scenario']),
    needs: (data['needs'] as readonly string[] | undefined) ?? [],
    steps: (data['steps'] as readonly Step[] | undefined) ?? [],
    cleanup: (data['cleanup'] as readonly Step[] | undefined) ?? [],
  }
}

/** Keys and `$` words that the format does not have, as paths. */
export function unknownScenarioKeys(data: Words): string[] {
  const found = unknownOf(data, scenarioKeys, '')
  for (const list of ['steps', 'cleanup'] as const) {
    const steps = (data[list] as readonly Step[] | undefined) ?? []
    steps.forEach((step, i) => {
      found.push(...unknownInStep(step, `${list}[${i}]`))
    })
  }
  const needs = (data['needs'] as readonly string[] | undefined) ?? []
  return [...found, ...needs.filter((word) => word !== 'compact').map((word) => `needs: ${word}`)]
}

function unknownInStep(step: Step, path: string): string[] {
  const kinds = Object.keys(stepKeys).filter((kind) => kind in step)
  const kind = kinds[0]
  if (kinds.length !== 1 || kind === undefined) return [`${path}: ${kinds.length} kinds of step in one`]
  const found = unknownOf(step, ['name', kind, ...(stepKeys[kind] ?? [])], `${path}.`)
  const expect = step['expect'] as Words | undefined
  if (expect) {
    found.push(...unknownOf(expect, expectKeys, `${path}.expect.`))
    found.push(...unknownWords(expect['body'], `${path}.expect.body`))
    found.push(...unknownWords(expect['headers'], `${path}.expect.headers`))
  }
  const events = (step['events'] as readonly Words[] | undefined) ?? []
  events.forEach((event, i) => {
    found.push(...unknownOf(event, ['type', 'object'], `${path}.events[${i}].`))
    found.push(...unknownWords(event['object'], `${path}.events[${i}].object`))
  })
  const fill = step['fill'] as Words | undefined
  return fill ? [...found, ...unknownOf(fill, ['path', 'size'], `${path}.fill.`)] : found
}

function unknownOf(value: Words, known: readonly string[], prefix: string): string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${prefix}${key}`)
}

const matcherKeys = ['$exactly', '$contains', '$without', '$length']
const matcherWord = /^\$(any|absent|(save|same|other|newer):.+)$/

/** `$` words of a wanted value that mean nothing. */
function unknownWords(wanted: unknown, path: string): string[] {
  if (typeof wanted === 'string')
    return wanted.startsWith('$') && !matcherWord.test(wanted) ? [`${path}: ${wanted}`] : []
  if (typeof wanted !== 'object' || wanted === null) return []
  return Object.entries(wanted).flatMap(([key, value]) => {
    const unknown = key.startsWith('$') && !matcherKeys.includes(key) ? [`${path}.${key}`] : []
    return [...unknown, ...unknownWords(value, `${path}.${key}`)]
  })
}
