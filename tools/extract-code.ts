// Markdown → its fenced TypeScript, each with the output that the text says it prints.

/** One fenced block of TypeScript. */
export interface CodeBlock {
  readonly file: string
  /** Line of its first line of code. */
  readonly line: number
  readonly code: string
  /** The `text` block right behind it: what the program prints. */
  readonly output?: string
  /** Marked `ts fragment`: shown for its shape, depends on what stands around it. */
  readonly isFragment: boolean
}

/** Lists the blocks of a page in order. Fences inside list items may be indented. */
export function extractCode(file: string, markdown: string): readonly CodeBlock[] {
  const fences = [...markdown.matchAll(/^([ \t]*)```([^\n`]*)\n([\s\S]*?)^\1```[ \t]*$/gm)].map((match) => ({
    info: (match[2] ?? '').trim(),
    text: unindent(match[3] ?? '', match[1] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }))
  return fences.flatMap((fence, at) => {
    if (!/^(ts|typescript)\b/.test(fence.info)) return []
    const next = fences[at + 1]
    const isOutput = next?.info === 'text' && markdown.slice(fence.end, next.start).split('\n').length <= 5
    return {
      file,
      line: markdown.slice(0, fence.start).split('\n').length + 1,
      code: fence.text,
      ...(isOutput ? { output: next.text } : {}),
      isFragment: /\bfragment\b/.test(fence.info),
    }
  })
}

function unindent(text: string, indent: string): string {
  return indent === '' ? text : text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}
