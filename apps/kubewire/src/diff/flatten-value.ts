// A value of a model as its leaves: what differs between two of them can then be told one by one, whatever their type.

/** The leaves by their path, `cookie.maxAgeSeconds`; what is not set has none. Lists are leaves. */
export function flattenValue(value: unknown, path = ''): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  collect(value, path, leaves)
  return leaves
}

function collect(value: unknown, path: string, leaves: Map<string, string>): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'object' || Array.isArray(value)) {
    leaves.set(path, leafText(value))
    return
  }
  for (const [key, part] of Object.entries(value)) collect(part, path === '' ? key : `${path}.${key}`, leaves)
}

function leafText(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? plainText(value) : String(value)
  if (value.length === 0) return nothing
  return value.every(isScalar) ? value.map(leafText).join(', ') : JSON.stringify(value)
}

/** What an empty list is as a leaf. */
export const nothing = 'none'

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

// One line, and what is empty can be seen.
function plainText(text: string): string {
  return text === '' || /[\u0000-\u001f\u007f\u2028\u2029]/.test(text) ? JSON.stringify(text) : text
}
