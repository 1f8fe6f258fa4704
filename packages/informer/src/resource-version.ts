// Comparing resource versions by the official rule (Kubernetes 1.35, KEP-5504): digits without a leading zero; the
// shorter is smaller; equal lengths compare as text. They have no bound on length, so none becomes a number.

const wellFormed = /^[1-9][0-9]*$/

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`; `undefined` when either is no version. */
export function compareVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined
  if (a === b) return wellFormed.test(a) ? 0 : undefined
  if (!wellFormed.test(a) || !wellFormed.test(b)) return undefined
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}

/** Whether `a` is certainly older than `b`. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  const order = compareVersions(a, b)
  return order !== undefined && order < 0
}

/** The newer of two versions; `next` when they cannot be compared. */
export function newerVersion(current: string | undefined, next: string | undefined): string | undefined {
  if (next === undefined || next === '') return current
  return isOlder(next, current) ? current : next
}
