// Splits and quotes the words of a rule line as iptables-restore and iptables-save do: blanks separate, double quotes
// hold a word together, a backslash inside quotes takes the next character as it is (xtables xs_save_string).

/** The words of a line; a missing closing quote ends with the line. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  let word = ''
  let isWord = false
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string
    if (isQuoted) {
      if (c === '"') isQuoted = false
      else word += c === '\\' && i + 1 < line.length ? (line[++i] as string) : c
    } else if (c === '"') {
      isQuoted = true
      isWord = true
    } else if (c === ' ' || c === '\t') {
      if (isWord) words.push(word)
      word = ''
      isWord = false
    } else {
      word += c
      isWord = true
    }
  }
  if (isWord) words.push(word)
  return words
}

const plainWord = /^[A-Za-z0-9_.:/,@%+=![\]-]+$/

/** A word as it may stand in a line: plain if possible, else in quotes; control characters become blanks. */
export function quoteWord(word: string): string {
  return plainWord.test(word) ? word : forceQuotes(word)
}

const special = /[\u0000-\u001f\u007f"'\\]/

/** A word in double quotes, as iptables-save prints every comment. */
export function forceQuotes(word: string): string {
  return special.test(word)
    ? `"${word.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').replaceAll(/["'\\]/g, '\\$&')}"`
    : `"${word}"`
}
