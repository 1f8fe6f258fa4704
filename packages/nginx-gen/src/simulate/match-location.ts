// Which location takes a URI: exact, then the longest prefix, then the first expression, also in nested blocks.
// Source: nginx ngx_http_core_module location, ngx_http_core_find_location.

import { capturesOf, compilePattern } from './pattern.ts'
import { childrenNamed, type SourceNode } from './source-tree.ts'

/** The chosen location and the rule that chose it. */
export interface LocationMatch {
  /** The blocks from the outermost location to the chosen one. */
  readonly path: readonly SourceNode[]
  readonly why: string
  readonly captures: ReadonlyMap<string, string>
  /** nginx answers 301 to the URI with a slash at the end. */
  readonly redirectsToSlash: boolean
}

/** The location for a normalised URI; `undefined` when the level above answers itself. */
export function matchLocation(level: readonly SourceNode[], uri: string): LocationMatch | undefined {
  const locations = locationsOf(level)
  const exact = locations.find((location) => location.modifier === '=' && location.text === uri)
  if (exact !== undefined) return chosen([exact.node], `= ${exact.text} is the URI`)
  const slash = locations.find((location) => isSlashOf(location, uri))
  const prefix = longestPrefix(locations, uri)
  if (slash !== undefined && (prefix === undefined || prefix.text.length < uri.length)) {
    return { ...chosen([slash.node], `the URI lacks the closing slash of ${slash.text}`), redirectsToSlash: true }
  }
  const nested = prefix === undefined ? undefined : matchLocation(prefix.node.children, uri)
  const ofPrefix = prefix && joined(prefix, nested)
  if (nested !== undefined && isFinal(nested)) return ofPrefix
  if (prefix?.modifier === '^~') return ofPrefix
  const expression = firstExpression(locations, uri)
  return expression ?? ofPrefix
}

const readLevels = new WeakMap<readonly SourceNode[], readonly ReadLocation[]>()

function locationsOf(level: readonly SourceNode[]): readonly ReadLocation[] {
  const known = readLevels.get(level)
  if (known !== undefined) return known
  const read = childrenNamed(level, 'location').map(readLocation)
  readLevels.set(level, read)
  return read
}

/** A location's modifier (`=`, `^~`, `~`, `~*`, `@` or none) and its text. */
export function readLocation(node: SourceNode): ReadLocation {
  const [first = '', second] = node.args
  if (second !== undefined) return { node, modifier: first, text: second }
  const glued = /^(=|\^~|~\*|~|@)(.*)$/s.exec(first)
  if (glued === null) return { node, modifier: '', text: first }
  return { node, modifier: glued[1] ?? '', text: glued[1] === '@' ? first : (glued[2] ?? '') }
}

interface ReadLocation {
  readonly node: SourceNode
  readonly modifier: string
  readonly text: string
}

function longestPrefix(locations: readonly ReadLocation[], uri: string): ReadLocation | undefined {
  let best: ReadLocation | undefined
  for (const location of locations) {
    if (location.modifier !== '' && location.modifier !== '^~') continue
    if (uri.startsWith(location.text) && location.text.length >= (best?.text.length ?? 0)) best = location
  }
  return best
}

function firstExpression(locations: readonly ReadLocation[], uri: string): LocationMatch | undefined {
  for (const { node, modifier, text } of locations) {
    if (modifier !== '~' && modifier !== '~*') continue
    const match = compilePattern(text, modifier === '~*')?.exec(uri)
    if (!match) continue
    const nested = matchLocation(node.children, uri)
    const path = [node, ...(nested?.path ?? [])]
    const why = `${modifier} ${text} is the first expression that matches`
    return { ...chosen(path, why), captures: new Map([...capturesOf(match), ...(nested?.captures ?? [])]) }
  }
  return undefined
}

// A location that proxies and ends in a slash sends its text without the slash there by 301 (auto_redirect).
function isSlashOf(location: ReadLocation, uri: string): boolean {
  if (!['', '^~', '='].includes(location.modifier) || location.text !== `${uri}/`) return false
  return location.node.children.some((child) => /^(?:proxy|grpc|fastcgi|uwsgi|scgi|memcached)_pass$/.test(child.name))
}

function joined(prefix: ReadLocation, nested: LocationMatch | undefined): LocationMatch {
  if (nested === undefined) return chosen([prefix.node], `${prefix.text} is the longest prefix of the URI`)
  return { ...nested, path: [prefix.node, ...nested.path] }
}

function isFinal(match: LocationMatch): boolean {
  const { modifier } = readLocation(match.path.at(-1) as SourceNode)
  return modifier !== ''
}

function chosen(path: readonly SourceNode[], why: string): LocationMatch {
  return { path, why, captures: new Map(), redirectsToSlash: false }
}
