// Directives against the schemas of their plugins: unknown words, numbers of arguments, use more than once. The
// messages are the original's, with the nearest known word added where there is one.

import type { Problem } from '@kubewire/kube-model'
import type { AnyPluginDefinition, Arity } from '../plugin.ts'
import { pluginProblem } from './corefile-problem.ts'
import type { Directive, DirectiveToken } from './directive.ts'

/** Checks the directives of one plugin in one block; empty when all is well. */
export function checkDirectives(definition: AnyPluginDefinition, directives: readonly Directive[]): Problem[] {
  const { name, args, properties, isOnce, checksItself, unknownProperty } = definition
  if (isOnce && directives.length > 1) {
    return [pluginProblem(name, 'this plugin can only be used once per Server Block')]
  }
  const problems: Problem[] = []
  for (const directive of directives) {
    const wrong = wrongCount(directive.args, args, directive.name)
    if (wrong !== undefined) problems.push(argumentProblem(name, wrong))
    if (properties === undefined || checksItself) continue
    for (const line of directive.block ?? []) {
      const spec = Object.hasOwn(properties, line.name.text) ? properties[line.name.text] : undefined
      if (spec === undefined) {
        const hint = nearestWord(line.name.text, Object.keys(properties))
        const text = (unknownProperty ?? "unknown property '%'").replace('%', () => line.name.text)
        problems.push(pluginProblem(name, `${text}${hintText(hint)}`, line.name))
        continue
      }
      const bad = wrongCount(line.args, spec, line.name)
      if (bad !== undefined) problems.push(argumentProblem(name, bad))
    }
  }
  return problems
}

/** `, did you mean 'kubernetes'?`, or nothing. */
export function hintText(hint: string | undefined): string {
  return hint === undefined ? '' : `, did you mean '${hint}'?`
}

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

function wrongCount(args: readonly DirectiveToken[], arity: Arity, name: DirectiveToken): DirectiveToken | undefined {
  if (args.length < arity.min) return args[args.length - 1] ?? name
  return args.length > arity.max ? args[arity.max] : undefined
}

function argumentProblem(plugin: string, at: DirectiveToken): Problem {
  return pluginProblem(plugin, `Wrong argument count or unexpected line ending after '${at.text}'`, at)
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
