// Tables as kubectl prints them: a line of capitals, columns three blanks apart, nothing after the last word.

/** Rows under a head; nothing at all when there is no row. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head.map((word) => word.toUpperCase()), ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd((widths[at] ?? 0) + 3))
          .join('')
          .trimEnd()}\n`,
    )
    .join('')
}
