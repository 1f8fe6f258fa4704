// What Lua decides in the dynamic form, in nginx's own words: redirects to https, 503 for empty backends, canaries. Every
// change of endpoints, weights or certificates is a change of the text then. Affinity by cookie needs Lua and is left out;
// so are backends behind external names, which nginx would have to resolve before it starts.

import { parseIp } from '@kubewire/kube-model'
import type { SslRedirect } from '../annotations/ssl-redirect.ts'
import {
  block,
  type ConfigNode,
  directive,
  interpolated,
  literal,
  regex,
  type TextArgument,
  word,
} from '../config/node.ts'
import type { Backend, CanaryPolicy } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { hashText } from '../translate/hash.ts'

/** Backends by name. */
export type Backends = ReadonlyMap<string, Backend>

/** Endpoints that can stand in an upstream block. */
export function staticEndpoints(backend: Backend): Backend['endpoints'] {
  return backend.endpoints.filter(({ address }) => parseIp(address) !== undefined)
}

/** The backend of a location: its name, or the variable that chooses between main and canary. */
export function upstreamArgument(backend: string, backends: Backends): TextArgument {
  return canaryOf(backend, backends) === undefined ? literal(backend) : word(`$upstream_${idOf(backend)}`)
}

/** Directives of a location that Lua would do: redirect to https, then 503 where nothing can answer. */
export function renderStaticRewrite(
  redirect: SslRedirect,
  mode: 'always' | 'tls' | 'off',
  hasCertificate: boolean,
  backend: Backend | undefined,
  model: Model,
): readonly ConfigNode[] {
  const redirects = mode === 'always' || (mode === 'tls' && hasCertificate)
  const port = redirect.writesPort ? `:${model.options.httpsPort}` : ''
  const uri = redirect.keepsSlash ? '$request_uri' : '$slashless_uri'
  const target = interpolated(`https://$redirect_host${port}${uri}`)
  const code = model.settings['http-redirect-code']
  const isEmpty = backend === undefined || staticEndpoints(backend).length === 0
  return [
    ...(redirects ? [block('if', ['$pass_access_scheme', '=', 'http'], [directive('return', code, target)])] : []),
    ...(isEmpty ? [directive('return', 503)] : []),
  ]
}

/** Maps of `http`: the host without its port, and for each backend with a canary the choice between the two. */
export function renderStaticChoices(backends: Backends): readonly ConfigNode[] {
  const host = block(
    'map',
    ['$best_http_host', '$redirect_host'],
    [directive('default', '$best_http_host'), directive('~^(?<bare_host>[^:]+):', '$bare_host')],
  )
  return [host, ...[...backends.values()].flatMap((backend) => renderChoice(backend, backends))]
}

function renderChoice(main: Backend, backends: Backends): readonly ConfigNode[] {
  const found = canaryOf(main.name, backends)
  if (found === undefined) return []
  const { alternative, policy } = found
  const id = idOf(main.name)
  const names: Choice = { id, main: literal(main.name), alternative: literal(alternative) }
  const byWeight = renderWeight(policy, names)
  const unweighted = byWeight === undefined ? names.main : word(`$canary_weight_${id}`)
  const byCookie = renderSwitch('cookie', cookieVariable(policy.cookie), unweighted, [], names)
  const undecided = byCookie === undefined ? unweighted : word(`$canary_cookie_${id}`)
  const header = policy.header === undefined ? undefined : `$http_${policy.header.toLowerCase().replaceAll('-', '_')}`
  const byHeader = renderSwitch('header', header, undecided, headerKeys(policy), names)
  const chosen = byHeader === undefined ? undecided : word(`$canary_header_${id}`)
  const nodes = [byWeight, byCookie, byHeader].filter((node) => node !== undefined)
  return [...nodes, block('map', ['$request_id', `$upstream_${id}`], [directive('default', chosen)])]
}

interface Choice {
  readonly id: string
  readonly main: TextArgument
  readonly alternative: TextArgument
}

/** Chance decides; nothing where no share is wanted. */
function renderWeight(
  { weight, weightTotal }: CanaryPolicy,
  { id, main, alternative }: Choice,
): ConfigNode | undefined {
  const share = Math.min(Math.max(weight / weightTotal, 0), 1)
  if (share === 0) return undefined
  const part = share === 1 ? [] : [directive(`${(share * 100).toFixed(2)}%`, alternative)]
  const rest = directive('*', share === 1 ? alternative : main)
  return block('split_clients', ['$request_id', `$canary_weight_${id}`], [...part, rest])
}

/** A map on one request value; without `keys` the words always and never decide. */
function renderSwitch(
  kind: 'cookie' | 'header',
  source: string | undefined,
  undecided: TextArgument,
  keys: readonly string[],
  { id, main, alternative }: Choice,
): ConfigNode | undefined {
  if (source === undefined) return undefined
  const decisions =
    keys.length > 0
      ? keys.map((key) => directive(key, alternative))
      : [directive('always', alternative), directive('never', main)]
  return block('map', [word(source), `$canary_${kind}_${id}`], [directive('default', undecided), ...decisions])
}

function headerKeys({ headerValue, headerPattern }: CanaryPolicy): readonly string[] {
  // A backslash keeps nginx from reading a value as one of its own words or as an expression.
  if (headerValue !== undefined) return [`\\${headerValue}`]
  return headerPattern === undefined ? [] : [regex(`~${headerPattern}`).text]
}

/** nginx reads only cookies whose names are letters, digits and underscores. */
function cookieVariable(name: string | undefined): string | undefined {
  return name !== undefined && /^[A-Za-z0-9_]+$/.test(name) ? `$cookie_${name}` : undefined
}

function canaryOf(
  name: string,
  backends: Backends,
): { readonly alternative: string; readonly policy: CanaryPolicy } | undefined {
  const alternative = backends.get(backends.get(name)?.alternatives[0] ?? '')
  if (alternative?.canary === undefined || staticEndpoints(alternative).length === 0) return undefined
  return { alternative: alternative.name, policy: alternative.canary }
}

function idOf(backend: string): string {
  return hashText(backend).slice(0, 16)
}
