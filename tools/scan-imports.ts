// Source text → what it imports. A scanner and not a compiler: it relies on the layout the formatter gives (statements
// at the start of a line), which the lint check enforces.

/** One import, export-from or `import()`. */
export interface ScannedImport {
  readonly specifier: string
  readonly line: number
  /** `type` is erased when the file is built; `lazy` is an `import()`. */
  readonly kind: 'static' | 'type' | 'lazy'
}

const staticImport = /^(?:import|export)\b([^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm
const lazyImport = /\bimport\(\s*(?:\/\*[^*]*\*\/\s*)?['"]([^'"]+)['"]/g

/** Lists the imports of a TypeScript source, in order of their lines. */
export function scanImports(source: string): readonly ScannedImport[] {
  const text = blankComments(source)
  const lineOf = (index: number): number => text.slice(0, index).split('\n').length
  const found: ScannedImport[] = []
  for (const match of text.matchAll(staticImport)) {
    const isType = /^\s*type\b/.test(match[1] ?? '')
    found.push({ specifier: match[2] ?? '', line: lineOf(match.index), kind: isType ? 'type' : 'static' })
  }
  for (const match of text.matchAll(lazyImport)) {
    // `import('x').Y` in a type is erased, `typeof import('x')` too.
    const isType =
      /\btypeof\s*$/.test(text.slice(0, match.index)) || /^\)\s*\.[A-Z]/.test(text.slice(match.index + match[0].length))
    found.push({ specifier: match[1] ?? '', line: lineOf(match.index), kind: isType ? 'type' : 'lazy' })
  }
  return found.sort((a, b) => a.line - b.line)
}

/** Replaces comments by spaces, keeping lines; comment signs inside strings and regular expressions survive. */
export function blankComments(source: string): string {
  const token =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*]|[^/\\\n])+\//g
  return source.replaceAll(token, (found) =>
    found.startsWith('/*') || found.startsWith('//') ? found.replaceAll(/[^\n]/g, ' ') : found,
  )
}
