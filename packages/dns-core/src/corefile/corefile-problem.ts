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
    message: placedMessage(text),
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
    message: at === undefined ? shown(text) : placedMessage(text),
    fallback: 'the configuration is not used',
    ...(at === undefined ? {} : { position: { file: at.file, line: at.line } }),
  }
}

function placedMessage(text: string): string {
  return text.startsWith('Syntax error') ? shown(text) : `Error during parsing: ${shown(text)}`
}

/** Words of the file may be anything: control characters are escaped, quoted words cut to 80 characters. */
function shown(text: string): string {
  const escaped = text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
  const visible = escaped.replaceAll(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return visible.replaceAll(/(['"`])([^'"`]{80})[^'"`]+\1/g, '$1$2…$1')
}

/** COMPAT: plugins that name themselves in a problem, as whoever asks them does too. */
const saidTwice: ReadonlySet<string> = new Set(['bufsize'])

/** `plugin/cache: Corefile:4 - Error during parsing: unknown property 'x'`, as CoreDNS prints it. */
export function printCorefileProblem(problem: Problem): string {
  const { object, position, message } = problem
  const name = object.kind === 'plugin' ? `plugin/${object.name}: ` : ''
  const prefix = position !== undefined && saidTwice.has(object.name) ? `${name}${name}` : name
  return `${prefix}${position === undefined ? '' : `${position.file}:${position.line} - `}${message}`
}
