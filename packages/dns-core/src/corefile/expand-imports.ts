// Snippets and imports: takes definitions out of the words of a Corefile and puts their words where they are imported.

import type { Problem } from '@kubewire/kube-model'
import { corefileProblem } from './corefile-problem.ts'
import { lexCorefile, type Token } from './lex.ts'

/** What the file system must offer to imports; paths are resolved by the caller's rules. */
export interface ImportFiles {
  /** Files that match a path or glob relative to the importing file, in order, with their texts. */
  read(pattern: string, importingFile: string): readonly { readonly file: string; readonly text: string }[]
}

/** Limits of the original (CoreDNS 1.15 coremain, against imports that import each other). */
const maxSnippets = 10_000
const maxFiles = 100_000

interface Expansion {
  readonly files: ImportFiles
  readonly problems: Problem[]
  readonly snippets: Map<string, readonly Token[]>
  snippetCount: number
  fileCount: number
}

/** Expands all imports of a file's words; problems are collected and the import is left out. */
export function expandImports(tokens: readonly Token[], files: ImportFiles, problems: Problem[]): Token[] {
  const expansion: Expansion = { files, problems, snippets: new Map(), snippetCount: 0, fileCount: 0 }
  return expand(tokens, expansion, [])
}

function expand(tokens: readonly Token[], expansion: Expansion, within: readonly string[]): Token[] {
  const out: Token[] = []
  let depth = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    const isFirst = token.startsLine || tokens[i - 1]?.text === '{'
    const snippet = /^\((.+)\)$/.exec(token.text)?.[1]
    if (depth === 0 && isFirst && snippet !== undefined && tokens[i + 1]?.text === '{') {
      i = defineSnippet(tokens, i, snippet, expansion)
      continue
    }
    if (isFirst && token.text === 'import') {
      const target = tokens[i + 1]
      if (target === undefined || target.startsLine) {
        expansion.problems.push(corefileProblem(`Wrong argument count or unexpected line ending after 'import'`, token))
        continue
      }
      i++
      out.push(...importOne(target, expansion, within))
      continue
    }
    if (token.text === '{') depth++
    else if (token.text === '}') depth--
    out.push(token)
  }
  return out
}

function defineSnippet(tokens: readonly Token[], at: number, name: string, expansion: Expansion): number {
  const head = tokens[at]
  let depth = 0
  let end = at + 1
  for (; end < tokens.length; end++) {
    if (tokens[end]?.text === '{') depth++
    else if (tokens[end]?.text === '}' && --depth === 0) break
  }
  if (head !== undefined && expansion.snippets.has(name)) {
    expansion.problems.push(corefileProblem(`redeclaration of previously declared snippet ${name}`, head))
  }
  const body = tokens.slice(at + 2, end)
  expansion.snippets.set(
    name,
    body.map((token, i) => (i === 0 ? { ...token, startsLine: true } : token)),
  )
  return end
}

function importOne(target: Token, expansion: Expansion, within: readonly string[]): Token[] {
  const snippet = expansion.snippets.get(target.text)
  if (snippet !== undefined) {
    if (within.includes(target.text) || ++expansion.snippetCount > maxSnippets) {
      expansion.problems.push(corefileProblem(`maximum snippet import depth (${maxSnippets}) exceeded`, target))
      return []
    }
    return expand(snippet, expansion, [...within, target.text])
  }
  if ((target.text.match(/[*?]/g) ?? []).length > 1) {
    expansion.problems.push(
      corefileProblem(`Glob pattern may only contain one wildcard (*), but has others: ${target.text}`, target),
    )
    return []
  }
  const found = expansion.files.read(target.text, target.file)
  if (found.length === 0 && !/[*?]/.test(target.text)) {
    expansion.problems.push(corefileProblem(`File to import not found: ${target.text}`, target))
  }
  return found.flatMap(({ file, text }) => {
    if (within.includes(file) || ++expansion.fileCount > maxFiles) {
      expansion.problems.push(corefileProblem(`maximum file import depth (${maxSnippets}) exceeded`, target))
      return []
    }
    return expand(lexCorefile(text, file), expansion, [...within, file])
  })
}
