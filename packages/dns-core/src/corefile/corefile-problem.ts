// Problems of a Corefile, and their one line as the original prints it on standard error.

import type { Problem } from '@kubewire/kube-model'
import type { DirectiveToken } from './directive.ts'

/** A problem found while reading the structure of the file. */
export function corefileProblem(text: string, at: DirectiveToken, code = 'DNS_COREFILE_SYNTAX'): Problem {
  return {
    code,
    severity: 'error',
    object: { kind: 'Corefile', name: at.file },
    path: '',
    message: text.startsWith('Syntax error') ? text : `Error during parsing: ${text}`,
    fallback: 'the configuration is not used',
    position: { file: at.file, line: at.line },
  }
}

/** A problem that a plugin found in its directives; without `at` it has no place. */
export function pluginProblem(plugin: string, text: string, at?: DirectiveToken): Problem {
  return {
    code: 'DNS_PLUGIN_CONFIG',
    severity: 'error',
    object: { kind: 'plugin', name: plugin },
    path: '',
    message: at === undefined ? text : `Error during parsing: ${text}`,
    fallback: 'the configuration is not used',
    ...(at === undefined ? {} : { position: { file: at.file, line: at.line } }),
  }
}

/** `plugin/cache: Corefile:4 - Error during parsing: unknown property 'x'`, as CoreDNS prints it. */
export function printCorefileProblem(problem: Problem): string {
  const { object, position, message } = problem
  const prefix = object.kind === 'plugin' ? `plugin/${object.name}: ` : ''
  return `${prefix}${position === undefined ? '' : `${position.file}:${position.line} - `}${message}`
}
