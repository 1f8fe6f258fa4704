// Typing errors: the word that a user meant.

/** The known word that is at most two edits away; the first of the nearest. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = 3
  for (const candidate of known) {
    const distance = editDistance(word, candidate)
    if (distance < least && distance < candidate.length) {
      least = distance
      best = candidate
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost))
    }
    row = next
  }
  return row[b.length] ?? 0
}
