// The access phase: address lists, password, subrequest; `satisfy any` lets one of them do.
// Source: nginx ngx_http_access_module, ngx_http_auth_basic_module, ngx_http_auth_request_module, satisfy.

import { covers } from './address.ts'
import { inForce, type SourceNode } from './source-tree.ts'
import { expand, type RequestState, variable } from './variables.ts'

/** What one check says; `unknown` where only the running service can tell. */
export interface AccessCheck {
  readonly node: SourceNode
  readonly verdict: 'allowed' | 'refused' | 'unknown'
  readonly status: number
  readonly what: string
}

/** All checks in force, and the status they come to (`undefined`: the request goes on). */
export function checkAccess(
  levels: readonly (readonly SourceNode[])[],
  state: RequestState,
): { readonly checks: readonly AccessCheck[]; readonly status: number | undefined } {
  const checks = [addressCheck(levels, state), passwordCheck(levels, state), subrequestCheck(levels, state)].filter(
    (check) => check !== undefined,
  )
  const refused = checks.filter((check) => check.verdict === 'refused')
  const satisfiesAny = inForce(levels, 'satisfy')[0]?.args[0] === 'any'
  // Where all have to be satisfied the first refusal ends the phase: nobody is asked after it.
  const [first] = refused
  if (!satisfiesAny && first !== undefined) {
    return { checks: checks.slice(0, checks.indexOf(first) + 1), status: first.status }
  }
  if (satisfiesAny && checks.some((check) => check.verdict !== 'refused')) return { checks, status: undefined }
  // With `any`, a 401 outlives a 403: the client may still log in.
  const status = refused.find((check) => satisfiesAny && check.status === 401)?.status ?? refused[0]?.status
  return { checks, status }
}

// `allow` and `deny` are one list: the innermost level that has either.
function addressCheck(levels: readonly (readonly SourceNode[])[], state: RequestState): AccessCheck | undefined {
  const level = levels.findLast((nodes) => nodes.some(isRule))
  const passed: SourceNode[] = []
  for (const node of level?.filter(isRule) ?? []) {
    const [range = ''] = node.args
    const isAllowed = node.name === 'allow'
    if (!covers(range, state.request.clientAddress)) {
      passed.push(node)
      continue
    }
    const others = passed.filter(({ name }) => name !== node.name).map(({ args }) => args[0])
    const where = range === 'all' && others.length > 0 ? `none of ${others.join(', ')}` : range
    const what = `${state.request.clientAddress} is in ${where}`
    return { node, verdict: isAllowed ? 'allowed' : 'refused', status: 403, what }
  }
  return undefined
}

function isRule(node: SourceNode): boolean {
  return node.name === 'allow' || node.name === 'deny'
}

function passwordCheck(levels: readonly (readonly SourceNode[])[], state: RequestState): AccessCheck | undefined {
  const node = inForce(levels, 'auth_basic')[0]
  const users = inForce(levels, 'auth_basic_user_file')[0]
  // Without a file of users the module does nothing (ngx_http_auth_basic_handler).
  if (node === undefined || users === undefined || expand(node.args[0] ?? 'off', state) === 'off') return undefined
  const has = state.request.headers.get('authorization')?.toLowerCase().startsWith('basic ') === true
  if (has) return { node, verdict: 'unknown', status: 401, what: 'the password file decides' }
  return { node, verdict: 'refused', status: 401, what: 'no user and password are given' }
}

function subrequestCheck(levels: readonly (readonly SourceNode[])[], state: RequestState): AccessCheck | undefined {
  const asking = inForce(levels, 'access_by_lua_block').find(({ code }) => code?.trim() === 'kubewire.ask()')
  const node = asking ?? inForce(levels, 'auth_request')[0]
  const uri = asking === undefined ? expand(node?.args[0] ?? 'off', state) : variable('auth_path', state)
  if (node === undefined || uri === 'off') return undefined
  return { node, verdict: 'unknown', status: 401, what: `the answer to ${uri} decides; the simulation goes on` }
}
