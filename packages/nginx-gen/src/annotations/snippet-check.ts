// Whether a tenant's snippet stays in its block and away from directives that reach the whole process or its files.
// Source: reference, design rules: snippets.

import type { ConfigTree } from '../config/node.ts'
import { parseConfig } from '../config/parse.ts'

const forbidden =
  /^(?:load_module|include|alias|root|ssl_engine|env|user|js_.*|perl.*|.*_by_lua.*|lua_.*|proxy_pass_unix|working_directory|daemon|master_process|pid|error_log)$/

/** Why the snippet is refused; `undefined` when it may stand. */
export function checkSnippet(text: string): string | undefined {
  const parsed = parseConfig(text)
  const [problem] = parsed.problems
  if (problem !== undefined) return `expected nginx configuration: ${problem.message}`
  const name = forbiddenName(parsed.value)
  return name === undefined ? undefined : `the directive ${name} is not allowed in a snippet`
}

function forbiddenName(tree: ConfigTree): string | undefined {
  for (const node of tree) {
    if (node.kind === 'lua') return node.name
    if (node.kind !== 'directive' && node.kind !== 'block') continue
    if (forbidden.test(node.name)) return node.name
    const target = node.args[0]
    if (node.name === 'proxy_pass' && target?.kind !== 'list' && /unix:/.test(target?.text ?? ''))
      return 'proxy_pass to unix:'
    const inner = node.kind === 'block' ? forbiddenName(node.children) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}
