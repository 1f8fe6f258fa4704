// Directives against the schemas of their plugins: unknown words, numbers of arguments, use more than once. The
// messages are the original's, with the nearest known word added where there is one.

import { nearestWord, type Problem } from '@kubewire/kube-model'
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
    if (definition.takesNoBlock && directive.block !== undefined) {
      problems.push(pluginProblem(name, "Unexpected token '{', expecting argument", directive.name))
      continue
    }
    if (properties === undefined || checksItself) continue
    const unknown = (word: DirectiveToken): Problem => {
      const hint = nearestWord(word.text, Object.keys(properties))
      const text = (unknownProperty ?? "unknown property '%'").replace('%', () => word.text)
      return pluginProblem(name, `${text}${hintText(hint)}`, word)
    }
    for (const line of directive.block ?? []) {
      const spec = Object.hasOwn(properties, line.name.text) ? properties[line.name.text] : undefined
      if (spec === undefined) {
        problems.push(unknown(line.name))
        continue
      }
      const next = spec.readsOn ? line.args[spec.max] : undefined
      const bad = next === undefined ? wrongCount(line.args, spec, line.name) : undefined
      if (next !== undefined) problems.push(unknown(next))
      if (bad !== undefined) problems.push(argumentProblem(name, bad))
    }
  }
  return problems
}

/** `, did you mean 'kubernetes'?`, or nothing. */
export function hintText(hint: string | undefined): string {
  return hint === undefined ? '' : `, did you mean '${hint}'?`
}

function wrongCount(args: readonly DirectiveToken[], arity: Arity, name: DirectiveToken): DirectiveToken | undefined {
  if (args.length < arity.min) return args[args.length - 1] ?? name
  // COMPAT: the original reads a whole line before it counts, so the last word is named.
  return args.length > arity.max ? args[args.length - 1] : undefined
}

function argumentProblem(plugin: string, at: DirectiveToken): Problem {
  return pluginProblem(plugin, `Wrong argument count or unexpected line ending after '${at.text}'`, at)
}
