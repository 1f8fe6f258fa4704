// The directives of the rewrite module: `set`, `if`, `return`, `rewrite`, `break`, in the order of the file.
// Source: nginx ngx_http_rewrite_module, ngx_http_script.c.

import { capturesOf, compilePattern } from './pattern.ts'
import type { SourceNode } from './source-tree.ts'
import { expand, type RequestState } from './variables.ts'

/** What the directives of one block came to. */
export type RewriteResult =
  | { readonly kind: 'continue'; readonly ifBlocks: readonly SourceNode[]; readonly uriChanged: boolean }
  | {
      readonly kind: 'return'
      /** The blocks it stands in; the last one's settings are in force. */
      readonly ifBlocks: readonly SourceNode[]
      readonly status: number
      readonly text: string | undefined
      readonly node: SourceNode
    }

/** A step worth telling: which directive, and what it did. */
export type TellStep = (node: SourceNode, what: string) => void

/** Runs the directives of one level on the state. `uriChanged` asks for another search of a location. */
export function runRewrite(level: readonly SourceNode[], state: RequestState, tell: TellStep): RewriteResult {
  const progress: Progress = { uriChanged: false, stopped: false, ifBlocks: [] }
  const ended = runLevel(level, state, tell, progress)
  const { ifBlocks, uriChanged } = progress
  return ended === undefined ? { kind: 'continue', ifBlocks, uriChanged } : { ...ended, ifBlocks }
}

interface Progress {
  uriChanged: boolean
  stopped: boolean
  readonly ifBlocks: SourceNode[]
}

type Returned = Omit<Extract<RewriteResult, { kind: 'return' }>, 'ifBlocks'>

function runLevel(
  level: readonly SourceNode[],
  state: RequestState,
  tell: TellStep,
  progress: Progress,
): Returned | undefined {
  for (const node of level) {
    if (progress.stopped) return undefined
    if (node.name === 'if') {
      if (!holds(node, state)) continue
      tell(node, 'the condition holds')
      progress.ifBlocks.push(node)
      const ended = runLevel(node.children, state, tell, progress)
      if (ended !== undefined) return ended
    } else if (node.name === 'set') {
      state.values.set((node.args[0] ?? '').slice(1), expand(node.args[1] ?? '', state))
    } else if (node.name === 'break') {
      progress.stopped = true
    } else if (node.name === 'return') {
      return returned(node, state)
    } else if (node.name === 'rewrite') {
      const ended = rewriteUri(node, state, tell, progress)
      if (ended !== undefined) return ended
    }
  }
  return undefined
}

function returned(node: SourceNode, state: RequestState): Returned {
  const [first = '', second] = node.args
  // `return URL;` alone is a 302.
  if (!/^\d+$/.test(first)) return { kind: 'return', status: 302, text: expand(first, state), node }
  const text = second === undefined ? undefined : expand(second, state)
  return { kind: 'return', status: Number(first), text, node }
}

function rewriteUri(node: SourceNode, state: RequestState, tell: TellStep, progress: Progress): Returned | undefined {
  const [pattern = '', replacement = '', flag] = node.args
  const match = compilePattern(pattern, false)?.exec(state.uri)
  if (!match) return undefined
  remember(match, state)
  const target = expand(replacement, state)
  const isUrl = /^(?:https?:\/\/|\$scheme)/.test(replacement)
  if (flag === 'redirect' || flag === 'permanent' || isUrl) {
    return { kind: 'return', status: flag === 'permanent' ? 301 : 302, text: target, node }
  }
  const [path = '', ...query] = target.split('?')
  const before = state.uri
  state.uri = path
  state.wasRewritten = true
  // The query of the request is appended, unless the replacement ends in a question mark.
  if (query.length > 0) {
    const own = query.join('?')
    state.args = target.endsWith('?') || state.args === '' ? own.replace(/\?$/, '') : `${own}&${state.args}`
  }
  tell(node, `the URI becomes ${state.uri}${before === state.uri ? ' (as it was)' : ''}`)
  progress.uriChanged = flag !== 'break'
  progress.stopped = flag === 'break' || flag === 'last'
  return undefined
}

function holds(node: SourceNode, state: RequestState): boolean {
  const [left = '', operator, right = ''] = node.args
  if (left.startsWith('-') || left.startsWith('!-')) return left.startsWith('!')
  const value = expand(left, state)
  if (operator === undefined) return value !== '' && value !== '0'
  if (operator === '=') return value === expand(right, state)
  if (operator === '!=') return value !== expand(right, state)
  const match = compilePattern(right, operator.endsWith('*'))?.exec(value)
  if (match) remember(match, state)
  return Boolean(match) !== operator.startsWith('!')
}

function remember(match: RegExpExecArray, state: RequestState): void {
  state.captures = capturesOf(match)
  for (const [name, text] of state.captures) if (!/^\d/.test(name)) state.values.set(name, text)
}
