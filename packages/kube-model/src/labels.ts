// Label selectors in the API's text form: parse, print, match (apimachinery `labels.Parse`).

/** One requirement of a selector; all of them must hold. */
export interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt'
  readonly values: readonly string[]
}

/** A parsed selector; the empty one matches everything. */
export type Selector = readonly Requirement[]

/** Labels of an object. */
export type Labels = { readonly [key: string]: string }

/** apimachinery `metav1.LabelSelector`. */
export interface LabelSelector {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
const prefixPattern = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/** Whether the text is a legal label key (`[prefix/]name`). */
export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/')
  if (slash < 0) return namePattern.test(text)
  return prefixPattern.test(text.slice(0, slash)) && namePattern.test(text.slice(slash + 1))
}

/** Whether the text is a legal label value (empty allowed). */
export function isLabelValue(text: string): boolean {
  return text === '' || namePattern.test(text)
}

/**
 * The selector of a text such as `app=web,tier in (a,b),!canary`; `undefined` when it does not parse.
 *
 * @see apimachinery `pkg/labels/selector.go`, grammar in its doc comment
 */
export function parseSelector(text: string): Selector | undefined {
  const requirements: Requirement[] = []
  for (const part of splitTopLevel(text)) {
    const requirement = parseRequirement(part.trim())
    if (!requirement || !isLabelKey(requirement.key) || !requirement.values.every(isLabelValue)) return undefined
    requirements.push(requirement)
  }
  return requirements
}

/** The selector of a `LabelSelector` object; `undefined` when an operator or value is not legal. */
export function selectorOf(selector: LabelSelector): Selector | undefined {
  const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: 'absent' } as const
  const requirements: Requirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'in',
    values: [value],
  }))
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const known = operators[operator as keyof typeof operators]
    const needsValues = known === 'in' || known === 'notin'
    if (known === undefined || needsValues !== values.length > 0) return undefined
    requirements.push({ key, operator: known, values })
  }
  return requirements.every((r) => isLabelKey(r.key) && r.values.every(isLabelValue)) ? requirements : undefined
}

/** Prints a selector in the form `parseSelector` reads. */
export function printSelector(selector: Selector): string {
  return selector.map(printRequirement).join(',')
}

/** Whether labels meet every requirement. */
export function matchesSelector(selector: Selector, labels: Labels | undefined): boolean {
  return selector.every((requirement) => holds(requirement, labelValue(labels, requirement.key)))
}

// A key such as `constructor` must not find what every object is born with.
function labelValue(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
}

function holds({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value)
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case 'gt':
    case 'lt':
      return (
        value !== undefined &&
        /^-?[0-9]+$/.test(value) &&
        (operator === 'gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]))
      )
  }
}

function parseRequirement(text: string): Requirement | undefined {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text)
  if (set)
    return {
      key: set[1] ?? '',
      operator: set[2] as 'in' | 'notin',
      values: (set[3] ?? '').split(',').map((v) => v.trim()),
    }
  const compared = /^([^\s=!<>()]+)\s*(==|=|!=|>|<)\s*([^\s=!<>()]*)$/.exec(text)
  if (compared) {
    const [, key = '', sign = '', value = ''] = compared
    if (sign === '>' || sign === '<')
      return /^-?[0-9]+$/.test(value) ? { key, operator: sign === '>' ? 'gt' : 'lt', values: [value] } : undefined
    return { key, operator: sign === '!=' ? 'notin' : 'in', values: [value] }
  }
  const absent = /^!\s*([^\s=!<>()]+)$/.exec(text)
  if (absent) return { key: absent[1] ?? '', operator: 'absent', values: [] }
  return /^[^\s=!<>()]+$/.test(text) ? { key: text, operator: 'exists', values: [] } : undefined
}

function printRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key
    case 'absent':
      return `!${key}`
    case 'gt':
    case 'lt':
      return `${key}${operator === 'gt' ? '>' : '<'}${values[0] ?? ''}`
    case 'in':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${[...values].sort().join(',')})`
    case 'notin':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${[...values].sort().join(',')})`
  }
}

function splitTopLevel(text: string): string[] {
  if (text.trim() === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')') depth--
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, text.slice(start)]
}
