// Request path → what it asks for. Paths outside `/api` and `/apis` are routes of their own.

/** A request for objects of a resource. */
export interface ResourceRoute {
  readonly kind: 'resource'
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly plural: string
  readonly name: string
  readonly subresource: string
  /** The path had `/watch/` in it (the old way to ask for a watch). */
  readonly isLegacyWatch: boolean
}

/** A request for anything else: discovery, health, OpenAPI. `path` has no trailing slash. */
export interface PlainRoute {
  readonly kind: 'plain'
  readonly path: string
}

/** Takes a path apart; segments are percent-decoded once. */
export function parseRoute(pathname: string): ResourceRoute | PlainRoute {
  const segments = pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment)
  const plain: PlainRoute = { kind: 'plain', path: `/${segments.join('/')}` }
  const isCore = segments[0] === 'api'
  if (!isCore && segments[0] !== 'apis') return plain
  const group = isCore ? '' : (segments[1] ?? '')
  const version = segments[isCore ? 1 : 2] ?? ''
  let rest = segments.slice(isCore ? 2 : 3)
  if (rest.length === 0 || version === '') return plain
  const isLegacyWatch = rest[0] === 'watch' && rest.length > 1
  if (isLegacyWatch) rest = rest.slice(1)
  let namespace = ''
  // `/namespaces/x` is a Namespace, `/namespaces/x/status` its subresource, `/namespaces/x/services` something in it.
  if (rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '')) {
    namespace = rest[1] ?? ''
    rest = rest.slice(2)
  }
  const [plural = '', name = '', ...subresource] = rest
  return {
    kind: 'resource',
    group,
    version,
    namespace,
    plural,
    name,
    subresource: subresource.join('/'),
    isLegacyWatch,
  }
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
