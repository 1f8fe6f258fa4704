// Typing errors: names that differ by one slip.

/** Whether one text has a letter more, less or other than the second, or two of them swapped; not when they are equal. */
export function isOneEditAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  const isSwap = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isSwap || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}
