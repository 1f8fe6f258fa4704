// Text inside XML, for reports in JUnit's format.

/** A text as content or quoted value. XML 1.0 has no way to write most control characters. */
export function escapeXml(text: string): string {
  const entities: { readonly [letter: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return [...text]
    .map((letter) => entities[letter] ?? (letter < ' ' && letter !== '\n' && letter !== '\t' ? '\ufffd' : letter))
    .join('')
}
