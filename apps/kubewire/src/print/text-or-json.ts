// `-o text|json` of the commands that have these two.

import { UsageError } from '../exit-code.ts'

/** The flag. */
export const textOrJson = {
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/**
 * The text, or the value as JSON; only what is asked for is made.
 *
 * @throws UsageError when the format is neither
 */
export function printTextOrJson(format: string, text: () => string, value: () => unknown): string {
  if (format === 'text') return text()
  if (format === 'json') return `${JSON.stringify(value(), null, 2)}\n`
  throw new UsageError('expected -o text or -o json')
}
