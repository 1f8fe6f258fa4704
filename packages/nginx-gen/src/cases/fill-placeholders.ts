// `{{cert:NAME}}`, `{{key:NAME}}`, `{{n}}`, `{{repeat:TEXT:COUNT}}`, `{{list:TEXT:COUNT}}` in texts of a case. Other
// double braces are literal.

/** What placeholders stand for. */
export interface PlaceholderValues {
  /** PEM texts by certificate name. */
  readonly certificates: ReadonlyMap<string, { readonly cert: string; readonly key: string }>
  /** Number of the repetition. */
  readonly n?: number
}

/** A value with the placeholders of all its texts filled in. */
export function fillPlaceholders<T>(value: T, values: PlaceholderValues): T {
  if (typeof value === 'string') return fillText(value, values) as T
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, values)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fillText(key, values), fillPlaceholders(inner, values)]),
  ) as T
}

function fillText(text: string, { certificates, n }: PlaceholderValues): string {
  if (!text.includes('{{')) return text
  return text
    .replaceAll(/\{\{(cert|key):([^}]+)\}\}/g, (whole, part: 'cert' | 'key', name: string) => {
      const pair = certificates.get(name)
      return pair === undefined ? whole : btoa(pair[part])
    })
    .replaceAll(/\{\{repeat:(.*?):(\d+)\}\}/gs, (_, one: string, count: string) => one.repeat(Number(count)))
    .replaceAll(/\{\{list:(.*?):(\d+)\}\}/gs, (_, one: string, count: string) =>
      Array.from({ length: Number(count) }, (__, at) => one.replaceAll('%d', String(at + 1))).join(','),
    )
    .replaceAll('{{n}}', n === undefined ? '{{n}}' : String(n))
}
