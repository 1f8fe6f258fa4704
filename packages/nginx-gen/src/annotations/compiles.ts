// Whether nginx's regular expression library will take a pattern. A pattern that it refuses stops every later change
// of the configuration, so what is not surely good is refused here: JavaScript's compiler decides, and the places
// where it is more lenient than PCRE2 are checked by hand. Source: pcre2pattern(3).

/** nginx copies a pattern into a fixed argument; longer ones are no use to anybody. */
const maxPatternLength = 1024

/** Whether PCRE2 compiles `pattern` (without nginx's `~`). */
export function compiles(pattern: string): boolean {
  if (pattern.length > maxPatternLength) return false
  const plain = withoutPcreSpelling(pattern)
  if (lenientInJavaScript.some((trap) => trap.test(plain))) return false
  try {
    new RegExp(plain)
    const groups = new RegExp(`(?:${plain})|`).exec('')?.length ?? 1
    return backReferences(plain).every((number) => number < groups)
  } catch {
    return false
  }
}

/** The same pattern in words that JavaScript has: flags inside, named groups of Python, possessive and atomic parts. */
function withoutPcreSpelling(pattern: string): string {
  return pattern
    .replaceAll(/\(\?[imsxJU-]+\)/g, '')
    .replaceAll(/\(\?[imsxJU-]+:/g, '(?:')
    .replaceAll('(?P<', '(?<')
    .replaceAll('(?>', '(?:')
    .replaceAll(/([^\\][*+?}])\+/g, '$1')
}

const lenientInJavaScript: readonly RegExp[] = [
  /(?:^|[^\\])\[\^?\]/, // an empty class
  /\(\?<[=!][^)]*[*+{?]/, // a look-behind of no fixed length
  /\\[uUlLNCgk]/, // escapes that PCRE2 lacks, or reads otherwise
  /\\[pP](?!\{\^?[A-Z][a-z]?\}|[LMNPSZC])/, // a property that may not exist
  /\\x(?![0-9A-Fa-f])/,
  /\\c(?![A-Za-z])/,
  /\[[.=]/, // collating elements
  /\[:(?!\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\])[a-z]*:\]/,
  /\(\*/,
  /\{[0-9]{5,}|,[0-9]{5,}\}/, // a repeat count beyond 65535
]

function backReferences(pattern: string): number[] {
  return [...pattern.replaceAll('\\\\', '').matchAll(/\\([1-9])/g)].map((match) => Number(match[1]))
}
