// Kubernetes' RBAC as a function: which request needs which right, and whether a set of rules gives it.
// Source: kubernetes pkg/apis/rbac/v1/evaluation_helpers.go, apiserver pkg/endpoints/request/requestinfo.go.

/** One rule of a Role or ClusterRole. */
export interface RbacRule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly verbs: readonly string[]
}

/** Rules, and the one namespace they are for; everywhere when absent. */
export interface RbacScope {
  readonly namespace?: string
  readonly rules: readonly RbacRule[]
}

/** What a request asks for. */
export type NeededRight =
  | { readonly kind: 'url'; readonly verb: string; readonly path: string }
  | {
      readonly kind: 'resource'
      readonly verb: string
      readonly group: string
      /** With its subresource: `ingresses/status`. */
      readonly resource: string
      readonly namespace: string
      /** Empty for a whole collection. */
      readonly name: string
    }

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** The right that a request needs. */
export function neededRight(method: string, path: string, query: URLSearchParams): NeededRight {
  const words = path.split('/').filter(Boolean)
  const isCore = words[0] === 'api'
  const rest = words.slice(isCore ? 2 : 3)
  if ((!isCore && words[0] !== 'apis') || rest.length === 0) return { kind: 'url', verb: method.toLowerCase(), path }
  const group = isCore ? '' : (words[1] ?? '')
  const isInside = rest[0] === 'namespaces' && rest.length > 2
  const namespace = isInside ? (rest[1] ?? '') : ''
  const [plural = '', inPath = '', subresource] = isInside ? rest.slice(2) : rest
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1'
  const reading = isWatch ? 'watch' : inPath === '' ? 'list' : 'get'
  const verb = verbs[method] ?? reading
  // A list or watch of one object by a field selector is a question for that name.
  const name = inPath || (/^metadata\.name=([^,]+)$/.exec(query.get('fieldSelector') ?? '')?.[1] ?? '')
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`
  return { kind: 'resource', verb, group, resource, namespace, name }
}

/** One line per right, as people say it: `get /secrets in shop`. */
export function printRight(right: NeededRight): string {
  if (right.kind === 'url') return `${right.verb} ${right.path}`
  const where = right.namespace === '' ? '' : ` in ${right.namespace}`
  const name = right.name === '' ? '' : ` named ${right.name}`
  return `${right.verb} ${right.group}/${right.resource}${name}${where}`
}

/** Whether one of the rules gives a right. */
export function isAllowed(scopes: readonly RbacScope[], right: NeededRight): boolean {
  return scopes.some(({ namespace, rules }) => {
    if (namespace !== undefined && (right.kind === 'url' || right.namespace !== namespace)) return false
    return rules.some((rule) => gives(rule, right))
  })
}

function gives(rule: RbacRule, right: NeededRight): boolean {
  if (!has(rule.verbs, right.verb)) return false
  if (right.kind === 'url')
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? right.path.startsWith(url.slice(0, -1)) : url === right.path,
    )
  const { resourceNames = [] } = rule
  const isNamed = resourceNames.length === 0 || resourceNames.includes(right.name)
  const parts = right.resource.split('/')
  const ofSubresource = parts.length > 1 && (rule.resources ?? []).includes(`*/${parts[1]}`)
  return isNamed && has(rule.apiGroups, right.group) && (has(rule.resources, right.resource) || ofSubresource)
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(value))
}

/** Every single grant of the rules: `watch /pods`, without names and places. */
export function listGrants(scopes: readonly RbacScope[]): readonly string[] {
  const grants = scopes
    .flatMap(({ rules }) => rules)
    .flatMap(({ apiGroups = [], resources = [], nonResourceURLs = [], verbs: given }) =>
      given.flatMap((verb) => [
        ...apiGroups.flatMap((group) => resources.map((resource) => `${verb} ${group}/${resource}`)),
        ...nonResourceURLs.map((url) => `${verb} ${url}`),
      ]),
    )
  return [...new Set(grants)].sort()
}

/** The grant that a right is an instance of. */
export function grantOf(right: NeededRight): string {
  return right.kind === 'url' ? printRight(right) : printRight({ ...right, namespace: '', name: '' })
}
